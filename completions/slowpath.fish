# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_slowpath_global_optspecs
    string join \n shell env= cwd= stdin= stdout= stderr= timeout= ignore-failure warmup= cold setup= prepare= conclude= cleanup= golden= check= seed= json markdown out= quiet color= runs= budget= tier= sizes= size= expected= source-prefix= limit= baseline= ledger= findings-out= max-cv= rate= stack= level= no-runtimes no-record pid= duration= exit-with-target h/help V/version
end

function __fish_slowpath_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_slowpath_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_slowpath_using_subcommand
    set -l cmd (__fish_slowpath_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c slowpath -n "__fish_slowpath_needs_command" -l env -d 'Sets an environment variable for the target' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l cwd -d 'Working directory of the target' -r -F
complete -c slowpath -n "__fish_slowpath_needs_command" -l stdin -d 'Standard input: null, inherit, or a file' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l stdout -d 'Standard output: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l stderr -d 'Standard error: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l timeout -d 'Ends a run that takes longer; it does not count' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l warmup -d 'Runs before the first counted one' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l setup -d 'Shell command before the first run of a command' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l prepare -d 'Shell command before each run' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l conclude -d 'Shell command after each run' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l cleanup -d 'Shell command after the last run of a command' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l golden -d 'What standard output must be: sha256:HEX, a file, or `first`' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l check -d 'Shell command that checks each run\'s output, on its standard input' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l seed -d 'Seeds every random choice' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_needs_command" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_needs_command" -l runs -d 'Runs of the command' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l budget -d 'Time for the answer' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l tier -d 'How deep to look: each tier adds instruments, which run one after the other' -r -f -a "fast\t'Timing and one recorded run'
medium\t'And instructions, caches, branches, calls'
deep\t'And the heap, counters, Python\'s allocations'
asm\t'And the machine code of all hot loops'"
complete -c slowpath -n "__fish_slowpath_needs_command" -l sizes -d 'Sizes that stand for {SIZE}: 1k,4k,16k or 1k..64k*2; the answer then has the growth' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l size -d 'The size that the answer is about, and that is simulated' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l expected -d 'The growth that is allowed; a worse one ends with exit status 1' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l source-prefix -d 'Shows simulated costs of sources below this folder only; the rest is one sum (repeatable)' -r -F
complete -c slowpath -n "__fish_slowpath_needs_command" -l limit -d 'Time for all instruments of the tier; what would not fit is left out and named' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l baseline -d 'Compares with an earlier run or `benchmark_summary.json`; a regression ends with exit status 1' -r -F
complete -c slowpath -n "__fish_slowpath_needs_command" -l ledger -d 'Compares with the last and the best line of this file, then appends one' -r -F
complete -c slowpath -n "__fish_slowpath_needs_command" -l findings-out -d 'Writes the findings of the scorecard to this file too' -r -F
complete -c slowpath -n "__fish_slowpath_needs_command" -l max-cv -d 'Wall times that differ by more are noise, unless the machine was shown to be quiet' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l rate -d 'Samples in a second of CPU time; chosen by the run\'s length without it' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l stack -d 'Bytes of stack copied with each sample, at most 65528; without it 32768, or 4096 while that is enough' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l level -d 'Uses no more than this level grants: C (root), B, A (an ordinary user), D (no perf events)' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l pid -d 'Watches this process and its children instead of starting a command' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l duration -d 'Watches for so long: a process, or a command that is then ended' -r
complete -c slowpath -n "__fish_slowpath_needs_command" -l shell -d 'Runs the command through `sh -c`'
complete -c slowpath -n "__fish_slowpath_needs_command" -l ignore-failure -d 'Runs that fail count too'
complete -c slowpath -n "__fish_slowpath_needs_command" -l cold -d 'Drops the page cache before each run (needs root)'
complete -c slowpath -n "__fish_slowpath_needs_command" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_needs_command" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_needs_command" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_needs_command" -l no-runtimes -d 'Leaves runtimes alone: no variables that ask Node.js, the JVM and .NET for the names of their code, none that ask Python, Node.js, the JVM and Go what they do, and no breakpoints at functions of native programs'
complete -c slowpath -n "__fish_slowpath_needs_command" -l no-record -d 'Leaves the recorded run out: timing alone'
complete -c slowpath -n "__fish_slowpath_needs_command" -l exit-with-target -d 'Ends with the target\'s own exit status'
complete -c slowpath -n "__fish_slowpath_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_needs_command" -s V -l version -d 'Print version'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "why" -d 'Why is it slow? The same as `slowpath -- CMD`'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "bench" -d 'How fast is it? One or more commands, interleaved'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "compare" -d 'Did it change? Two commands, two git revisions, or two stored runs'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "verify" -d 'Did the change do what a finding promised?'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "gate" -d 'Do the scenarios of `slowpath.toml` keep their budgets and their speed?'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "scale" -d 'How does cost grow with the input? One command at several sizes'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "record" -d 'Where was it, moment by moment? Records one run, or a process that runs already'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "import" -d 'Reads another tool\'s recording'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "export" -d 'Writes a recorded run in another tool\'s format, or as a flame graph'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "explain" -d 'What does a cause mean? How it is recognised, checked by hand and mended'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "doctor" -d 'What can this machine measure, and how noisy is it?'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "report" -d 'Shows a stored run again'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "generate" -d 'Prints generated files: man page, completions, JSON schemas'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "spin" -d 'Spins for a while: what `doctor --noise` measures when no command is given'
complete -c slowpath -n "__fish_slowpath_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l env -d 'Sets an environment variable for the target' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l cwd -d 'Working directory of the target' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l stdin -d 'Standard input: null, inherit, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l stdout -d 'Standard output: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l stderr -d 'Standard error: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l timeout -d 'Ends a run that takes longer; it does not count' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l warmup -d 'Runs before the first counted one' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l setup -d 'Shell command before the first run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l prepare -d 'Shell command before each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l conclude -d 'Shell command after each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l cleanup -d 'Shell command after the last run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l golden -d 'What standard output must be: sha256:HEX, a file, or `first`' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l check -d 'Shell command that checks each run\'s output, on its standard input' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l seed -d 'Seeds every random choice' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l runs -d 'Runs of the command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l budget -d 'Time for the answer' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l tier -d 'How deep to look: each tier adds instruments, which run one after the other' -r -f -a "fast\t'Timing and one recorded run'
medium\t'And instructions, caches, branches, calls'
deep\t'And the heap, counters, Python\'s allocations'
asm\t'And the machine code of all hot loops'"
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l sizes -d 'Sizes that stand for {SIZE}: 1k,4k,16k or 1k..64k*2; the answer then has the growth' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l size -d 'The size that the answer is about, and that is simulated' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l expected -d 'The growth that is allowed; a worse one ends with exit status 1' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l source-prefix -d 'Shows simulated costs of sources below this folder only; the rest is one sum (repeatable)' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l limit -d 'Time for all instruments of the tier; what would not fit is left out and named' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l baseline -d 'Compares with an earlier run or `benchmark_summary.json`; a regression ends with exit status 1' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l ledger -d 'Compares with the last and the best line of this file, then appends one' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l findings-out -d 'Writes the findings of the scorecard to this file too' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l max-cv -d 'Wall times that differ by more are noise, unless the machine was shown to be quiet' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l rate -d 'Samples in a second of CPU time; chosen by the run\'s length without it' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l stack -d 'Bytes of stack copied with each sample, at most 65528; without it 32768, or 4096 while that is enough' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l level -d 'Uses no more than this level grants: C (root), B, A (an ordinary user), D (no perf events)' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l pid -d 'Watches this process and its children instead of starting a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l duration -d 'Watches for so long: a process, or a command that is then ended' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l shell -d 'Runs the command through `sh -c`'
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l ignore-failure -d 'Runs that fail count too'
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l cold -d 'Drops the page cache before each run (needs root)'
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l no-runtimes -d 'Leaves runtimes alone: no variables that ask Node.js, the JVM and .NET for the names of their code, none that ask Python, Node.js, the JVM and Go what they do, and no breakpoints at functions of native programs'
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l no-record -d 'Leaves the recorded run out: timing alone'
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -l exit-with-target -d 'Ends with the target\'s own exit status'
complete -c slowpath -n "__fish_slowpath_using_subcommand why" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l env -d 'Sets an environment variable for the target' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l cwd -d 'Working directory of the target' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l stdin -d 'Standard input: null, inherit, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l stdout -d 'Standard output: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l stderr -d 'Standard error: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l timeout -d 'Ends a run that takes longer; it does not count' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l warmup -d 'Runs before the first counted one' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l setup -d 'Shell command before the first run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l prepare -d 'Shell command before each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l conclude -d 'Shell command after each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l cleanup -d 'Shell command after the last run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l golden -d 'What standard output must be: sha256:HEX, a file, or `first`' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l check -d 'Shell command that checks each run\'s output, on its standard input' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l seed -d 'Seeds every random choice' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l count-minus -d 'A command whose instructions are subtracted as start-up, e.g. \'python3 -c pass\'' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l runs -d 'Runs of each command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l budget -d 'Time for each command\'s runs' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l precision -d 'How well the median must be known' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l param -d 'Values for {NAME} in the commands' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l name -d 'Name to show instead of a command, in their order' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l shell -d 'Runs the command through `sh -c`'
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l ignore-failure -d 'Runs that fail count too'
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l cold -d 'Drops the page cache before each run (needs root)'
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l count -d 'Counts instructions too'
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -l csv -d 'Prints the summary as comma-separated values'
complete -c slowpath -n "__fish_slowpath_using_subcommand bench" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l rev -d 'Compares git revisions: BASE or BASE..HEAD' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l build -d 'Builds a revision, in its worktree' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l runs -d 'Compares two stored runs or result files' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l margin -d 'The smallest change that matters' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l pairs -d 'Most pairs before a verdict' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l fail-on -d 'Verdicts that end with exit status 1' -r -f -a "worse\t''
better\t''
no-change\t''
inconclusive\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l env -d 'Sets an environment variable for the target' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l cwd -d 'Working directory of the target' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l stdin -d 'Standard input: null, inherit, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l stdout -d 'Standard output: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l stderr -d 'Standard error: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l timeout -d 'Ends a run that takes longer; it does not count' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l warmup -d 'Runs before the first counted one' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l setup -d 'Shell command before the first run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l prepare -d 'Shell command before each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l conclude -d 'Shell command after each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l cleanup -d 'Shell command after the last run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l golden -d 'What standard output must be: sha256:HEX, a file, or `first`' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l check -d 'Shell command that checks each run\'s output, on its standard input' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l seed -d 'Seeds every random choice' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l count-minus -d 'A command whose instructions are subtracted as start-up, e.g. \'python3 -c pass\'' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l control -d 'Measures the base as a third side, as a check on the measurement'
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l shell -d 'Runs the command through `sh -c`'
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l ignore-failure -d 'Runs that fail count too'
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l cold -d 'Drops the page cache before each run (needs root)'
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l count -d 'Counts instructions too'
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_using_subcommand compare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l finding -d 'Which finding, by its cause or its rank; the first without it' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l metric -d 'The metric that decides' -r -f -a "wall\t''
cpu\t''
rss\t''
instructions\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l allow -d 'What may get worse, the price that was agreed on: metrics, or dimensions of the scorecard' -r -f -a "wall\t''
cpu\t''
rss\t''
instructions\t''
scaling\t'Algorithmic Scaling'
stability\t'Wall-Time Stability'
efficiency\t'CPU Efficiency'
l1\t'L1 Cache Efficiency'
last-level\t'Last-Level Cache'
branches\t'Branch Prediction'
memory\t'Memory Profile'"
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l tests -d 'Shell command that tests the new program; a failure refutes the change' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l rev -d 'Old and new are git revisions: BASE or BASE..HEAD' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l build -d 'Builds a revision, in its worktree' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l margin -d 'The smallest change that matters' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l pairs -d 'Most pairs before a verdict' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l tier -d 'How deep to look at the new program; as deep as the stored run without it' -r -f -a "fast\t'Timing and one recorded run'
medium\t'And instructions, caches, branches, calls'
deep\t'And the heap, counters, Python\'s allocations'
asm\t'And the machine code of all hot loops'"
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l limit -d 'Time for all instruments of the tier' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l env -d 'Sets an environment variable for the target' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l cwd -d 'Working directory of the target' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l stdin -d 'Standard input: null, inherit, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l stdout -d 'Standard output: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l stderr -d 'Standard error: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l timeout -d 'Ends a run that takes longer; it does not count' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l warmup -d 'Runs before the first counted one' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l setup -d 'Shell command before the first run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l prepare -d 'Shell command before each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l conclude -d 'Shell command after each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l cleanup -d 'Shell command after the last run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l golden -d 'What standard output must be: sha256:HEX, a file, or `first`' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l check -d 'Shell command that checks each run\'s output, on its standard input' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l seed -d 'Seeds every random choice' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l count-minus -d 'A command whose instructions are subtracted as start-up, e.g. \'python3 -c pass\'' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l rate -d 'Samples in a second of CPU time; chosen by the run\'s length without it' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l stack -d 'Bytes of stack copied with each sample, at most 65528; without it 32768, or 4096 while that is enough' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l level -d 'Uses no more than this level grants: C (root), B, A (an ordinary user), D (no perf events)' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l other-output -d 'Lets the new program print something else'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l no-record -d 'Leaves the recorded run of the new program out'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l shell -d 'Runs the command through `sh -c`'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l ignore-failure -d 'Runs that fail count too'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l cold -d 'Drops the page cache before each run (needs root)'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l count -d 'Counts instructions too'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l no-runtimes -d 'Leaves runtimes alone: no variables that ask Node.js, the JVM and .NET for the names of their code, none that ask Python, Node.js, the JVM and Go what they do, and no breakpoints at functions of native programs'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l rev -d 'Holds them against a git revision, measured in turns: BASE or BASE..HEAD' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l build -d 'Builds a revision, in its worktree; else `build` of `slowpath.toml`' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l baseline -d 'Holds them against stored results: what --save wrote, or a run of `gate` or `bench`' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l save -d 'Writes the results as a baseline for later gates' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l margin -d 'The smallest change that matters; else `margin` of the scenario, else 2 %' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l pairs -d 'Most pairs before a verdict (with --rev); else `pairs` of the scenario, else 30' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l junit -d 'Writes the verdicts for a test reporter' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l sarif -d 'Writes the findings of broken scenarios for a code scanner' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l seed -d 'Seeds every random choice' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l allow-inconclusive -d 'Ends with exit status 0 where nothing is broken but something is inconclusive'
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l no-record -d 'Does not record broken scenarios to find out why they are slow'
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_using_subcommand gate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l sizes -d 'Sizes that stand for {SIZE}: 1k,4k,16k or 1k..64k*2; chosen without it' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l expected -d 'The growth that is allowed; a worse one ends with exit status 1' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l predict -d 'Sizes whose cost is to be predicted' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l limit -d 'Time for everything' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l runs -d 'Timed runs of each size; without it up to eight, as the limit allows' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l env -d 'Sets an environment variable for the target' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l cwd -d 'Working directory of the target' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l stdin -d 'Standard input: null, inherit, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l stdout -d 'Standard output: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l stderr -d 'Standard error: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l timeout -d 'Ends a run that takes longer; it does not count' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l warmup -d 'Runs before the first counted one' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l setup -d 'Shell command before the first run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l prepare -d 'Shell command before each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l conclude -d 'Shell command after each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l cleanup -d 'Shell command after the last run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l golden -d 'What standard output must be: sha256:HEX, a file, or `first`' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l check -d 'Shell command that checks each run\'s output, on its standard input' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l seed -d 'Seeds every random choice' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l no-count -d 'Leaves instruction counts out: CPU time alone'
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l no-functions -d 'Leaves the growth of single functions out'
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l shell -d 'Runs the command through `sh -c`'
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l ignore-failure -d 'Runs that fail count too'
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l cold -d 'Drops the page cache before each run (needs root)'
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_using_subcommand scale" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l env -d 'Sets an environment variable for the target' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l cwd -d 'Working directory of the target' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l stdin -d 'Standard input: null, inherit, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l stdout -d 'Standard output: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l stderr -d 'Standard error: null, inherit, capture, or a file' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l timeout -d 'Ends a run that takes longer; it does not count' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l warmup -d 'Runs before the first counted one' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l setup -d 'Shell command before the first run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l prepare -d 'Shell command before each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l conclude -d 'Shell command after each run' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l cleanup -d 'Shell command after the last run of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l golden -d 'What standard output must be: sha256:HEX, a file, or `first`' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l check -d 'Shell command that checks each run\'s output, on its standard input' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l seed -d 'Seeds every random choice' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l rate -d 'Samples in a second of CPU time; chosen by the run\'s length without it' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l stack -d 'Bytes of stack copied with each sample, at most 65528; without it 32768, or 4096 while that is enough' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l level -d 'Uses no more than this level grants: C (root), B, A (an ordinary user), D (no perf events)' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l pid -d 'Records this process and its children instead of a command' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l duration -d 'How long to watch a process, 10 s when nobody says; a command is ended after so long' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l shell -d 'Runs the command through `sh -c`'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l ignore-failure -d 'Runs that fail count too'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l cold -d 'Drops the page cache before each run (needs root)'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l no-runtimes -d 'Leaves runtimes alone: no variables that ask Node.js, the JVM and .NET for the names of their code, none that ask Python, Node.js, the JVM and Go what they do, and no breakpoints at functions of native programs'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l tree -d 'Shows the call tree too'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l csv -d 'Prints the hotspots as comma-separated values'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -l exit-with-target -d 'Ends with the target\'s own exit status'
complete -c slowpath -n "__fish_slowpath_using_subcommand record" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand import" -l event -d 'Which event or sample type, where the file has several' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand import" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand import" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand import" -l tree -d 'Shows the call tree too'
complete -c slowpath -n "__fish_slowpath_using_subcommand import" -l csv -d 'Prints the hotspots as comma-separated values'
complete -c slowpath -n "__fish_slowpath_using_subcommand import" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_using_subcommand import" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_using_subcommand import" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_using_subcommand import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand export" -l format -d 'What to write' -r -f -a "folded\t'One line a stack: `a;b;c 12`'
pprof\t'For `go tool pprof` and its kin, compressed'
speedscope\t'JSON for speedscope'
firefox\t'JSON for the Firefox Profiler'
chrome\t'Trace events for Perfetto and Chrome'
flame\t'A flame graph: SVG'
timeline\t'Threads over time: SVG'
sarif\t'The findings of `why` or `gate` for code scanners: SARIF 2.1.0'
ln-811\t'The performance map of `why` as ln-811\'s profile result: JSON'
ln-810\t'The same as what ln-810\'s `record-worker-result` takes: JSON'
worker-summary\t'The same in the envelope of a worker\'s summary: JSON'"
complete -c slowpath -n "__fish_slowpath_using_subcommand export" -l view -d 'Which time a flame graph or folded stacks show' -r -f -a "cpu\t'On a CPU'
off-cpu\t'Waiting'
wall\t'Both'"
complete -c slowpath -n "__fish_slowpath_using_subcommand export" -l against -d 'Compares with this earlier run: a differential flame graph' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand export" -s o -l output -d 'The file to write; standard output without it, or as `-`' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand export" -l reverse -d 'Turns a flame graph upside down: callers of the innermost functions'
complete -c slowpath -n "__fish_slowpath_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand explain" -l json -d 'Prints JSON instead of text'
complete -c slowpath -n "__fish_slowpath_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand doctor" -l pairs -d 'Pairs for --noise' -r
complete -c slowpath -n "__fish_slowpath_using_subcommand doctor" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand doctor" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand doctor" -l noise -d 'Measures a command against itself'
complete -c slowpath -n "__fish_slowpath_using_subcommand doctor" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_using_subcommand doctor" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_using_subcommand doctor" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -s o -l output -d 'The file to write the page to' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -l against -d 'Shows in the page\'s flame graphs what changed since this earlier run' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -l out -d 'Keeps the run in this folder, which must be new or empty' -r -F
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -l tree -d 'Shows the call tree too (recorded runs)'
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -l csv -d 'Prints the summary as comma-separated values (bench and recorded runs)'
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -l html -d 'Writes the page of the run again: report.html in its folder'
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -l map -d 'Prints the performance map (`why`): steps, baseline, suspicions; YAML'
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -l json -d 'Prints the answer as JSON, and nothing else on standard output'
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -l markdown -d 'Prints the answer as Markdown'
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -l quiet -d 'Prints nothing but the answer'
complete -c slowpath -n "__fish_slowpath_using_subcommand report" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and not __fish_seen_subcommand_from man completions schemas help" -s h -l help -d 'Print help'
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and not __fish_seen_subcommand_from man completions schemas help" -f -a "man"
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and not __fish_seen_subcommand_from man completions schemas help" -f -a "completions"
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and not __fish_seen_subcommand_from man completions schemas help" -f -a "schemas"
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and not __fish_seen_subcommand_from man completions schemas help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and __fish_seen_subcommand_from man" -s h -l help -d 'Print help'
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and __fish_seen_subcommand_from completions" -s h -l help -d 'Print help'
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and __fish_seen_subcommand_from schemas" -s h -l help -d 'Print help'
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and __fish_seen_subcommand_from help" -f -a "man"
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and __fish_seen_subcommand_from help" -f -a "completions"
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and __fish_seen_subcommand_from help" -f -a "schemas"
complete -c slowpath -n "__fish_slowpath_using_subcommand generate; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c slowpath -n "__fish_slowpath_using_subcommand spin" -s h -l help -d 'Print help'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "why" -d 'Why is it slow? The same as `slowpath -- CMD`'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "bench" -d 'How fast is it? One or more commands, interleaved'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "compare" -d 'Did it change? Two commands, two git revisions, or two stored runs'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "verify" -d 'Did the change do what a finding promised?'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "gate" -d 'Do the scenarios of `slowpath.toml` keep their budgets and their speed?'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "scale" -d 'How does cost grow with the input? One command at several sizes'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "record" -d 'Where was it, moment by moment? Records one run, or a process that runs already'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "import" -d 'Reads another tool\'s recording'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "export" -d 'Writes a recorded run in another tool\'s format, or as a flame graph'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "explain" -d 'What does a cause mean? How it is recognised, checked by hand and mended'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "doctor" -d 'What can this machine measure, and how noisy is it?'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "report" -d 'Shows a stored run again'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "generate" -d 'Prints generated files: man page, completions, JSON schemas'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "spin" -d 'Spins for a while: what `doctor --noise` measures when no command is given'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and not __fish_seen_subcommand_from why bench compare verify gate scale record import export explain doctor report generate spin help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and __fish_seen_subcommand_from generate" -f -a "man"
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and __fish_seen_subcommand_from generate" -f -a "completions"
complete -c slowpath -n "__fish_slowpath_using_subcommand help; and __fish_seen_subcommand_from generate" -f -a "schemas"
