//! The machine: CPU, caches, memory, and what it runs on.

use std::str::FromStr;

use model::fingerprint::{Cache, Machine};

use super::live::Live;
use super::root::Root;
use super::text;

const CPUS: &str = "sys/devices/system/cpu";

pub(super) fn machine(root: &Root, live: &Live) -> Machine {
    let cpus = root.read("proc/cpuinfo").unwrap_or_default();
    let memory = root.read("proc/meminfo").unwrap_or_default();
    Machine {
        cpu_model: text::cpu_field(&cpus, "model name").map(str::to_owned),
        cpu_vendor: either(&cpus, "vendor_id", "CPU implementer").map(str::to_owned),
        cpu_family: whole(either(&cpus, "cpu family", "CPU architecture")),
        cpu_model_number: whole(either(&cpus, "model", "CPU part")),
        cpu_stepping: whole(either(&cpus, "stepping", "CPU revision")),
        microcode: text::cpu_field(&cpus, "microcode").map(str::to_owned),
        architecture: live.architecture.clone(),
        hypervisor: hypervisor(root, live, &cpus),
        cpus_present: root.read(format!("{CPUS}/present")).and_then(|bytes| text::list_length(&bytes)),
        numa_nodes: root.read("sys/devices/system/node/online").and_then(|bytes| text::list_length(&bytes)),
        caches: caches(root),
        memory_bytes: text::memory_row(&memory, "MemTotal"),
        swap_bytes: text::memory_row(&memory, "SwapTotal"),
    }
}

/// A field by its x86 name, else by its Arm name.
fn either<'a>(cpus: &'a [u8], x86: &str, arm: &str) -> Option<&'a str> {
    text::cpu_field(cpus, x86).or_else(|| text::cpu_field(cpus, arm))
}

/// A decimal or, on Arm, `0x` number.
fn whole(field: Option<&str>) -> Option<u32> {
    let field = field?;
    match field.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => u32::from_str(field).ok(),
    }
}

/// The hypervisor with the machine it presents; `none` only where the CPU says that there is none.
fn hypervisor(root: &Root, live: &Live, cpus: &[u8]) -> Option<String> {
    let product = product(root);
    let flags = text::cpu_field(cpus, "flags");
    let flagged = flags.map(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    let name = root.read("sys/hypervisor/type").as_deref().and_then(text::line).map(str::to_owned);
    let name = name.or_else(|| live.signature.as_deref().map(hypervisor_name));
    match (flagged, name, product) {
        (Some(false), None, _) => Some("none".to_owned()),
        (_, Some(name), Some(product)) => Some(format!("{name} ({product})")),
        (_, Some(name), None) => Some(name),
        (Some(true), None, product) => Some(product.unwrap_or_else(|| "unnamed".to_owned())),
        // Arm has no such flag; what the firmware presents is known only when it is a virtual machine's name.
        (_, None, product) => product.filter(|product| VIRTUAL.iter().any(|name| product.contains(name))),
    }
}

const VIRTUAL: &[&str] =
    &["QEMU", "KVM", "VMware", "VirtualBox", "Virtual Machine", "Amazon EC2", "Google", "Xen"];

/// The name people use for a CPUID signature, else the signature itself.
fn hypervisor_name(signature: &str) -> String {
    match signature {
        "KVMKVMKVM" | "Linux KVM Hv" => "kvm",
        "Microsoft Hv" => "hyper-v",
        "VMwareVMware" => "vmware",
        "XenVMMXenVMM" => "xen",
        "TCGTCGTCGTCG" => "qemu",
        "VBoxVBoxVBox" => "virtualbox",
        "bhyve bhyve" => "bhyve",
        "ACRNACRNACRN" => "acrn",
        other => other,
    }
    .to_owned()
}

/// Vendor and product of the machine as its firmware names them, such as `Amazon EC2 m5.large`.
fn product(root: &Root) -> Option<String> {
    let read = |name: &str| {
        let bytes = root.read(format!("sys/class/dmi/id/{name}"))?;
        text::line(&bytes).map(str::to_owned)
    };
    match (read("sys_vendor"), read("product_name")) {
        (Some(vendor), Some(product)) if product.starts_with(&vendor) => Some(product),
        (Some(vendor), Some(product)) => Some(format!("{vendor} {product}")),
        (vendor, product) => product.or(vendor),
    }
}

/// The caches of CPU 0; `None` when the kernel lists none or one of them cannot be read.
fn caches(root: &Root) -> Option<Vec<Cache>> {
    let folder = format!("{CPUS}/cpu0/cache");
    let names = root.names(&folder)?;
    let indexes = names.iter().filter_map(|name| name.to_str()).filter(|name| name.starts_with("index"));
    let mut caches =
        indexes.map(|index| cache(root, &format!("{folder}/{index}"))).collect::<Option<Vec<_>>>()?;
    caches.sort_by(|a, b| (a.level, &a.kind).cmp(&(b.level, &b.kind)));
    (!caches.is_empty()).then_some(caches)
}

fn cache(root: &Root, folder: &str) -> Option<Cache> {
    let read = |name: &str| root.read(format!("{folder}/{name}"));
    let number =
        |name: &str| read(name).and_then(|bytes| text::number(&bytes)).and_then(|n| u32::try_from(n).ok());
    Some(Cache {
        level: number("level")?,
        kind: text::line(&read("type")?)?.to_lowercase(),
        bytes: text::size(&read("size")?)?,
        line_bytes: number("coherency_line_size"),
        ways: number("ways_of_associativity").filter(|ways| *ways != 0),
        shared_by_cpus: read("shared_cpu_list").and_then(|bytes| text::list_length(&bytes)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::root::made;
    use super::*;

    const X86: &str = "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n\
                       model name\t: AMD EPYC\n\
                       stepping\t: 1\nmicrocode\t: 0x1000065\ncpu MHz\t\t: 2445.426\nflags\t\t: fpu hypervisor\n\n";

    #[test]
    fn an_empty_tree_knows_nothing() {
        let (_folder, root) = made::tree(&[]);
        assert_eq!(machine(&root, &Live::default()), Machine::default());
    }

    #[test]
    fn x86_and_arm_are_both_read() {
        let (_folder, root) = made::tree(&[("proc/cpuinfo", X86)]);
        let x86 = machine(&root, &Live::default());
        assert_eq!((x86.cpu_family, x86.cpu_model_number, x86.cpu_stepping), (Some(25), Some(1), Some(1)));
        assert_eq!(x86.cpu_model.as_deref(), Some("AMD EPYC"));
        assert_eq!(x86.hypervisor.as_deref(), Some("unnamed"));

        let arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c\n\
                   CPU revision\t: 1\n\n";
        let (_folder, root) = made::tree(&[("proc/cpuinfo", arm)]);
        let arm = machine(&root, &Live::default());
        assert_eq!((arm.cpu_family, arm.cpu_model_number, arm.cpu_stepping), (Some(8), Some(0xd0c), Some(1)));
        assert_eq!(arm.cpu_model, None);
        assert_eq!(arm.hypervisor, None, "Arm has no flag that says so");
    }

    #[test]
    fn the_hypervisor_is_named_where_something_names_it() {
        let bare = X86.replace(" hypervisor", "");
        let check = |cpus: &str, files: &[(&str, &str)], signature: Option<&str>, wanted: &str| {
            let (_folder, root) = made::tree(files);
            let live = Live { signature: signature.map(str::to_owned), ..Live::default() };
            assert_eq!(hypervisor(&root, &live, cpus.as_bytes()).as_deref(), Some(wanted));
        };
        let amazon = [
            ("sys/class/dmi/id/sys_vendor", "Amazon EC2\n"),
            ("sys/class/dmi/id/product_name", "m5.large\n"),
        ];
        check(&bare, &[], None, "none");
        check(&bare, &[("sys/class/dmi/id/product_name", "PowerEdge\n")], None, "none");
        check(X86, &[], Some("KVMKVMKVM"), "kvm");
        check(X86, &[("sys/hypervisor/type", "xen\n")], None, "xen");
        check(X86, &amazon, Some("KVMKVMKVM"), "kvm (Amazon EC2 m5.large)");
    }

    #[test]
    fn one_unreadable_cache_makes_the_caches_unknown() {
        let cache = "sys/devices/system/cpu/cpu0/cache/index0";
        let (_folder, root) = made::tree(&[
            (&format!("{cache}/level"), "1\n"),
            (&format!("{cache}/type"), "Data\n"),
            (&format!("{cache}/size"), "32K\n"),
        ]);
        let read = caches(&root).unwrap();
        assert_eq!((read[0].level, read[0].bytes, read[0].ways), (1, 32 << 10, None));
        made::put(&root, &format!("{cache}/size"), "32");
        assert_eq!(caches(&root), None);
    }
}
