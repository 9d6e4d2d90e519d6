use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use redis::{Connection, RedisResult};

fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    input.read_line(&mut line).ok().filter(|n| *n > 0)?;
    Some(line.trim_end().to_string())
}

fn next_command(input: &mut impl BufRead) -> Option<Vec<String>> {
    let parts: usize = next_line(input)?[1..].parse().ok()?;
    (0..parts).map(|_| next_line(input).and_then(|_| next_line(input))).collect()
}

fn serve_store(stream: TcpStream) {
    let mut output = stream.try_clone().unwrap();
    let mut input = BufReader::with_capacity(1 << 16, stream);
    let mut data: HashMap<String, String> = HashMap::new();
    let mut reply = String::new();
    while let Some(command) = next_command(&mut input) {
        match (command[0].as_str(), command.len()) {
            ("SET", 3) => {
                data.insert(command[1].clone(), command[2].clone());
                reply.push_str("+OK\r\n");
            }
            ("GET", 2) => {
                let value = data.get(&command[1]).map_or("", String::as_str);
                reply.push_str(&format!("${}\r\n{}\r\n", value.len(), value));
            }
            _ => reply.push_str("+OK\r\n"),
        }
        if input.buffer().is_empty() {
            output.write_all(reply.as_bytes()).unwrap();
            reply.clear();
        }
    }
}

fn load_stock(con: &mut Connection, items: &[(String, u64)]) -> RedisResult<()> {
    for (name, amount) in items {
        redis::cmd("SET").arg(name).arg(*amount).query::<()>(con)?;
    }
    Ok(())
}

fn main() -> RedisResult<()> {
    let count: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(10_000);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let server = thread::spawn(move || serve_store(listener.accept().unwrap().0));
    let mut con = redis::Client::open(format!("redis://127.0.0.1:{}/", port))?.get_connection()?;
    let items: Vec<(String, u64)> = (0..count).map(|i| (format!("item:{}", i), i % 97)).collect();
    load_stock(&mut con, &items)?;
    let last: u64 = redis::cmd("GET").arg(&items[items.len() - 1].0).query(&mut con)?;
    drop(con);
    server.join().unwrap();
    println!("items {} last {}", items.len(), last);
    Ok(())
}
