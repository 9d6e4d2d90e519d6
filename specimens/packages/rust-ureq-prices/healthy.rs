//! Asks a price service for the price of each article of a shop.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

fn answer(stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut writer = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    while let Some(request) = lines.next() {
        let request = request?;
        for header in lines.by_ref() {
            if header?.is_empty() {
                break;
            }
        }
        let price = request.len() * 3;
        let body = price.to_string();
        let reply = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        writer.write_all(reply.as_bytes())?;
    }
    Ok(())
}

fn serve() -> std::io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}", listener.local_addr()?);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(stream));
        }
    });
    Ok(address)
}

fn total(shop: &str, articles: usize) -> Result<u64, Box<dyn Error>> {
    let agent = ureq::agent();
    let mut total = 0;
    for article in 0..articles {
        let price = agent.get(&format!("{shop}/price/{article}")).call()?.into_string()?;
        total += price.parse::<u64>()?;
    }
    Ok(total)
}

fn main() -> Result<(), Box<dyn Error>> {
    let articles = std::env::args().nth(1).ok_or("how many articles?")?.parse()?;
    println!("{}", total(&serve()?, articles)?);
    Ok(())
}
