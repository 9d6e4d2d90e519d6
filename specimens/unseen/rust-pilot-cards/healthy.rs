//! Pilot cards: fetches the soundings of harbour charts from the pilot office and draws the safest depth.

mod office {
    use std::io::{BufRead, BufReader, Write};
    use std::net::{TcpListener, TcpStream};
    use std::thread;
    use std::time::Duration;

    const LATENCY: Duration = Duration::from_millis(1);

    fn depth(chart: u32, place: u32) -> u32 {
        (chart.wrapping_mul(2654435761) ^ place.wrapping_mul(40503)) % 280 + 20
    }

    fn numbers(text: &str) -> Vec<u32> {
        text.split(' ').filter_map(|part| part.parse().ok()).collect()
    }

    fn attend(stream: TcpStream) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        let mut output = stream.try_clone()?;
        for line in BufReader::new(stream).lines() {
            let line = line?;
            thread::sleep(LATENCY);
            let answer = if let Some(rest) = line.strip_prefix("ONE ") {
                let asked = numbers(rest);
                depth(asked[0], asked[1]).to_string()
            } else if let Some(rest) = line.strip_prefix("MANY ") {
                let asked = numbers(rest);
                let all: Vec<String> = asked[1..].iter().map(|place| depth(asked[0], *place).to_string()).collect();
                all.join(" ")
            } else {
                "ERR".to_string()
            };
            output.write_all(format!("{answer}\n").as_bytes())?;
        }
        Ok(())
    }

    /// Opens the office on a free port.
    pub fn open() -> std::io::Result<std::net::SocketAddr> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || attend(stream));
            }
        });
        Ok(address)
    }
}

mod client {
    use std::io::{BufRead, BufReader, Result, Write};
    use std::net::{SocketAddr, TcpStream};

    pub struct Link {
        input: BufReader<TcpStream>,
        output: TcpStream,
        pub asked: u32,
    }

    impl Link {
        pub fn open(address: SocketAddr) -> Result<Link> {
            let output = TcpStream::connect(address)?;
            output.set_nodelay(true)?;
            Ok(Link { input: BufReader::new(output.try_clone()?), output, asked: 0 })
        }

        #[inline(never)]
        pub fn ask(&mut self, request: &str) -> Result<String> {
            self.output.write_all(format!("{request}\n").as_bytes())?;
            self.asked += 1;
            let mut line = String::new();
            self.input.read_line(&mut line)?;
            Ok(line.trim_end().to_string())
        }
    }

    pub struct Pilot {
        pub link: Link,
    }

    impl Pilot {
        /// The soundings of a chart at the places of the fairway.
        #[inline(never)]
        pub fn load_chart(&mut self, chart: u32, places: &[u32]) -> Result<Vec<u32>> {
            let list: Vec<String> = places.iter().map(|place| place.to_string()).collect();
            let answer = self.link.ask(&format!("MANY {chart} {}", list.join(" ")))?;
            Ok(answer.split(' ').map(|part| part.parse().unwrap_or(0)).collect())
        }
    }
}

/// Takes the noise off the soundings.
fn smooth(depths: &[u32]) -> f64 {
    let mut values: Vec<f64> = depths.iter().map(|depth| f64::from(*depth)).collect();
    for _ in 0..200 {
        for place in 1..values.len() - 1 {
            values[place] = values[place] * 0.5 + (values[place - 1] + values[place + 1]) * 0.25;
        }
    }
    values.iter().copied().fold(f64::MAX, f64::min)
}

fn main() -> std::io::Result<()> {
    let charts: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(3);
    let address = office::open()?;
    let mut pilot = client::Pilot { link: client::Link::open(address)? };
    let mut safest = 0.0;
    let mut soundings = 0;
    for chart in 0..charts {
        let places: Vec<u32> = (0..24).map(|step| step * 13 + chart % 7).collect();
        let depths = pilot.load_chart(chart, &places)?;
        soundings += depths.len();
        safest += smooth(&depths);
    }
    println!("{charts} charts, {soundings} soundings, safest {safest:.4}");
    Ok(())
}
