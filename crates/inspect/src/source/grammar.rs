//! What the node kinds of the grammars mean. A kind of one grammar means nothing else in another, so one list serves all.

use model::source::Language;

use super::tree::{At, Tree};

pub(super) fn is_loop(kind: &str) -> bool {
    matches!(
        kind,
        "for_statement"
            | "while_statement"
            | "do_statement"
            | "for_in_statement"
            | "enhanced_for_statement"
            | "for_range_loop"
            | "for_expression"
            | "while_expression"
            | "loop_expression"
    )
}

pub(super) fn is_comprehension(kind: &str) -> bool {
    matches!(
        kind,
        "list_comprehension" | "set_comprehension" | "dictionary_comprehension" | "generator_expression"
    )
}

pub(super) fn is_function(kind: &str) -> bool {
    is_closure(kind)
        || matches!(
            kind,
            "function_definition"
                | "function_declaration"
                | "generator_function_declaration"
                | "method_definition"
                | "method_declaration"
                | "constructor_declaration"
                | "compact_constructor_declaration"
                | "function_item"
        )
}

/// A function written as an expression.
pub(super) fn is_closure(kind: &str) -> bool {
    matches!(
        kind,
        "lambda"
            | "lambda_expression"
            | "arrow_function"
            | "function_expression"
            | "generator_function"
            | "closure_expression"
            | "func_literal"
    )
}

pub(super) fn is_class(kind: &str) -> bool {
    matches!(
        kind,
        "class_definition"
            | "class_declaration"
            | "class"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "class_specifier"
            | "struct_specifier"
            | "impl_item"
            | "trait_item"
    )
}

pub(super) fn is_call(kind: &str) -> bool {
    matches!(
        kind,
        "call"
            | "call_expression"
            | "method_invocation"
            | "new_expression"
            | "object_creation_expression"
            | "macro_invocation"
    )
}

/// Its children are statements.
fn is_block(kind: &str) -> bool {
    matches!(
        kind,
        "block"
            | "statement_block"
            | "compound_statement"
            | "statement_list"
            | "module"
            | "program"
            | "translation_unit"
            | "source_file"
            | "class_body"
            | "interface_body"
            | "enum_body_declarations"
            | "constructor_body"
            | "declaration_list"
            | "switch_body"
            | "switch_block_statement_group"
            | "switch_case"
            | "switch_default"
            | "case_statement"
            | "match_block"
            | "else_clause"
            | "labeled_statement"
            | "preproc_ifdef"
            | "preproc_if"
            | "preproc_else"
    )
}

/// Whether the node is a statement of its own; blocks and comments are none.
pub(super) fn is_statement(tree: &Tree<'_>, at: At) -> bool {
    let kind = tree.kind(at);
    if is_block(kind) && kind != "case_statement" && kind != "labeled_statement" || kind.contains("comment") {
        return false;
    }
    let Some(parent) = tree.parent(at) else { return false };
    let parent_kind = tree.kind(parent);
    if is_block(parent_kind) {
        // The name of a label and the value of a case are no statements.
        return !matches!(tree.field(at), "label" | "value" | "condition" | "name");
    }
    let branch = matches!(tree.field(at), "body" | "consequence" | "alternative");
    branch && (is_loop(parent_kind) || parent_kind.starts_with("if_") || parent_kind == "match_arm")
}

/// An expression that others are wrapped in without changing what it is.
pub(super) fn unwrapped(tree: &Tree<'_>, mut at: At) -> At {
    while matches!(
        tree.kind(at),
        "parenthesized_expression"
            | "await"
            | "await_expression"
            | "reference_expression"
            | "pointer_expression"
            | "try_expression"
            | "non_null_expression"
            | "as_expression"
            | "satisfies_expression"
            | "expression_list"
            | "as_pattern"
            | "condition_clause"
            | "type_cast_expression"
            | "literal_element"
            | "unary_expression"
    ) {
        let inner = tree.children(at).find(|child| !matches!(tree.field(*child), "operator" | "type"));
        match inner {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at
}

pub(super) fn is_text(kind: &str) -> bool {
    matches!(
        kind,
        "string"
            | "concatenated_string"
            | "template_string"
            | "string_literal"
            | "raw_string_literal"
            | "interpreted_string_literal"
            | "text_block"
    )
}

pub(super) fn is_number(kind: &str) -> bool {
    matches!(
        kind,
        "integer"
            | "float"
            | "number"
            | "number_literal"
            | "integer_literal"
            | "float_literal"
            | "int_literal"
            | "decimal_integer_literal"
            | "hex_integer_literal"
            | "decimal_floating_point_literal"
    )
}

/// A constant written out: text, number, truth value, nothing.
pub(super) fn is_constant(kind: &str) -> bool {
    is_text(kind)
        || is_number(kind)
        || matches!(
            kind,
            "true"
                | "false"
                | "none"
                | "null"
                | "nil"
                | "boolean_literal"
                | "char_literal"
                | "character_literal"
                | "regex"
        )
}

pub(super) fn is_identifier(kind: &str) -> bool {
    matches!(
        kind,
        "identifier"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern"
            | "self"
            | "this"
    )
}

/// `a.b`, `a->b`: what stands before the dot, and the name behind it.
pub(super) fn member<'t>(tree: &Tree<'t>, at: At) -> Option<(At, &'t str)> {
    let fields = match tree.kind(at) {
        "attribute" => ("object", "attribute"),
        "member_expression" => ("object", "property"),
        "field_access" => ("object", "field"),
        "field_expression" => ("value", "field"),
        "selector_expression" => ("operand", "field"),
        _ => return None,
    };
    let object = tree.child_of(at, &[fields.0, "argument"])?;
    Some((object, tree.child_text(at, fields.1)))
}

/// `a[i]`: what is taken from, and the index.
pub(super) fn subscript(tree: &Tree<'_>, at: At) -> Option<(At, At)> {
    if !matches!(tree.kind(at), "subscript" | "subscript_expression" | "array_access" | "index_expression") {
        return None;
    }
    let of =
        tree.child_of(at, &["value", "object", "array", "argument", "operand"]).or(tree.first_child(at))?;
    let index = tree.children(at).filter(|child| *child != of).last()?;
    Some((of, index))
}

/// The two sides and the operator of `a = b`, `a += b`, `a := b`; declarations are not among them.
pub(super) fn assignment<'t>(tree: &Tree<'t>, at: At) -> Option<(At, &'t str, At)> {
    if !matches!(
        tree.kind(at),
        "assignment"
            | "augmented_assignment"
            | "assignment_expression"
            | "augmented_assignment_expression"
            | "compound_assignment_expr"
            | "assignment_statement"
            | "short_var_declaration"
            | "named_expression"
    ) {
        return None;
    }
    let left = tree.child_of(at, &["left", "name"])?;
    let right = tree.child_of(at, &["right", "value"])?;
    let operator = tree.child_text(at, "operator");
    Some((left, if operator.is_empty() { "=" } else { operator }, right))
}

/// The identifier that a C declarator is about, or the name itself.
pub(super) fn declared(tree: &Tree<'_>, mut at: At) -> Option<At> {
    loop {
        if matches!(
            tree.kind(at),
            "identifier" | "field_identifier" | "qualified_identifier" | "destructor_name" | "operator_name"
        ) {
            return Some(at);
        }
        at = tree.child(at, "declarator").or_else(|| {
            let kind = tree.kind(at);
            kind.ends_with("_declarator").then(|| tree.first_child(at)).flatten()
        })?;
    }
}

/// Text cut to one line of at most `most` characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let mut short = String::new();
    // Four bytes hold a character, and blanks are folded: no more than this is worth reading.
    for word in text.split_whitespace() {
        if !short.is_empty() {
            short.push(' ');
        }
        short.extend(word.chars().take(most));
        if short.chars().count() > most {
            break;
        }
    }
    if short.chars().count() <= most {
        return short;
    }
    short.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

pub(super) fn is_script(language: Language) -> bool {
    matches!(language, Language::JavaScript | Language::TypeScript)
}

/// A receive from a timer or a ticker of Go's.
pub(super) fn is_ticking(language: Language, text: &str) -> bool {
    language == Language::Go && text.strip_prefix("<-").is_some_and(|channel| channel.trim().ends_with(".C"))
}
