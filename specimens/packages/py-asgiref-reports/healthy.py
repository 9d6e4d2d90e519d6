import asyncio
import socket
import sys
import threading
import time

from asgiref.sync import sync_to_async


def answer(conn):
    with conn:
        region = conn.recv(64).decode().strip()
        time.sleep(0.04)
        conn.sendall(f"{sum(map(ord, region)) * 7 % 1000}\n".encode())


def serve(listener):
    while True:
        try:
            conn, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=answer, args=(conn,), daemon=True).start()


def start_ledger():
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    return listener


def fetch_balance(address, region):
    with socket.create_connection(address) as conn:
        conn.sendall(f"{region}\n".encode())
        return int(conn.makefile().readline())


async def collect_balances(address, regions):
    fetch = sync_to_async(fetch_balance, thread_sensitive=False)
    return await asyncio.gather(*(fetch(address, region) for region in regions))


def main():
    count = int(sys.argv[1])
    listener = start_ledger()
    regions = [f"region-{n:03d}" for n in range(count)]
    balances = asyncio.run(collect_balances(listener.getsockname(), regions))
    listener.close()
    print(f"regions={len(balances)} total={sum(balances)} highest={max(balances)}")


if __name__ == "__main__":
    main()
