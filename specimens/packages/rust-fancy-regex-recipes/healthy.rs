//! Finds the headings of a collection of recipes: words with a colon behind them.

use fancy_regex::Regex;

fn collection(recipes: usize) -> String {
    let dishes = ["pancakes", "apple pie", "rye bread", "lentil soup", "plum cake", "dumplings"];
    let things = ["250 g flour", "two ripe tomatoes", "salt and pepper", "1 l of cold water"];
    let mut text = String::new();
    for recipe in 0..recipes {
        text.push_str(&format!("{} no {}:\n", dishes[recipe % dishes.len()], recipe + 1));
        for thing in things {
            text.push_str(thing);
            text.push('\n');
        }
        text.push_str("mix, wait 10 min, bake\n\n");
    }
    text
}

fn heading() -> Regex {
    Regex::new(r"^(\w+\s)*\w+(?=:)").unwrap()
}

fn headings(text: &str) -> Vec<String> {
    let heading = heading();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Ok(Some(words)) = heading.find(line) {
            found.push(words.as_str().to_string());
        }
    }
    found
}

fn main() {
    let recipes = std::env::args().nth(1).and_then(|recipes| recipes.parse().ok()).unwrap_or(10);
    let found = headings(&collection(recipes));
    println!("{} headings, the last is {}", found.len(), found[found.len() - 1]);
}
