//! `{name child child …}`, where a child is a word or another block.

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Open,
    Close,
    Word(String),
}

#[derive(Debug)]
pub enum Node {
    Word(String),
    Block(String, Vec<Node>),
}

pub fn tokens(source: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut word = String::new();
    for letter in source.chars() {
        match letter {
            '{' | '}' | ' ' => {
                if !word.is_empty() {
                    found.push(Token::Word(std::mem::take(&mut word)));
                }
                match letter {
                    '{' => found.push(Token::Open),
                    '}' => found.push(Token::Close),
                    _ => {}
                }
            }
            _ => word.extend(letter.to_lowercase()),
        }
    }
    found
}

struct Parser {
    rest: Vec<Token>,
}

impl Parser {
    fn new(tokens: Vec<Token>) -> Self {
        Self { rest: tokens }
    }

    fn peek(&self) -> Option<&Token> {
        self.rest.first()
    }

    fn take(&mut self) -> Result<Token, String> {
        if self.rest.is_empty() {
            return Err("the text ends too early".to_owned());
        }
        Ok(self.rest.remove(0))
    }

    fn block(&mut self) -> Result<Node, String> {
        self.expect(Token::Open)?;
        let Token::Word(name) = self.take()? else {
            return Err("a block without a name".to_owned());
        };
        let mut children = Vec::new();
        while self.peek() != Some(&Token::Close) {
            children.push(self.child()?);
        }
        self.expect(Token::Close)?;
        Ok(Node::Block(name, children))
    }

    fn child(&mut self) -> Result<Node, String> {
        if self.peek() == Some(&Token::Open) {
            return self.block();
        }
        match self.take()? {
            Token::Word(word) => Ok(Node::Word(word)),
            other => Err(format!("unexpected {other:?}")),
        }
    }

    fn expect(&mut self, wanted: Token) -> Result<(), String> {
        let found = self.take()?;
        if found == wanted { Ok(()) } else { Err(format!("{wanted:?} wanted, {found:?} found")) }
    }
}

pub fn parse(tokens: Vec<Token>) -> Result<Node, String> {
    Parser::new(tokens).block()
}
