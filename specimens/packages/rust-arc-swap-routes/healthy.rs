//! Takes the announcements of the neighbours into a routing table and forwards packets by it.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;

use arc_swap::ArcSwap;

#[derive(Clone, Copy)]
struct Route {
    gateway: u32,
    metric: u32,
    learned: u64,
}

struct Router {
    table: ArcSwap<HashMap<u32, Route>>,
}

struct Announcement {
    prefix: u32,
    route: Route,
}

fn announcements(count: u32) -> Vec<Announcement> {
    (0..count)
        .map(|at| Announcement {
            prefix: at.wrapping_mul(2_654_435_761) >> 8,
            route: Route { gateway: at % 61, metric: at * 7 % 255, learned: u64::from(at) },
        })
        .collect()
}

impl Router {
    fn learn(&self, feed: &[Announcement]) {
        self.table.rcu(|table| {
            let mut table = HashMap::clone(table);
            for news in feed {
                table.insert(news.prefix, news.route);
            }
            table
        });
    }

    fn forward(&self, packets: u32) -> (u32, u64) {
        let table = self.table.load();
        let (mut sent, mut cost) = (0, 0);
        for packet in 0..packets {
            let prefix = (packet % 40_000).wrapping_mul(2_654_435_761) >> 8;
            if let Some(route) = table.get(&prefix) {
                sent += 1;
                cost += u64::from(route.gateway + route.metric) + route.learned % 3;
            }
        }
        (sent, cost)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).ok_or("how many announcements?")?.parse()?;
    let router = Router { table: ArcSwap::new(Arc::new(HashMap::new())) };
    let feed = announcements(count);
    let (mut sent, mut cost) = (0, 0);
    for burst in feed.chunks(1000) {
        router.learn(burst);
        let done = router.forward(100_000);
        sent += done.0;
        cost += done.1;
    }
    println!("{} routes, {sent} packets sent, cost {cost}", router.table.load().len());
    Ok(())
}
