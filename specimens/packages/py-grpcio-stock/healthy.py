import json
import sys
from concurrent import futures

import grpc

METHOD = "/shop.Stock/Lookup"
KEY = b"""-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgH9c6VgcCPA5ZEW2X
yfnTt2ioGtVluJhCjwQKaqus/uOhRANCAAQxHI8YaLEVad80N+eXBr7msW4ZZ/lb
Fqv3dmDA9bxZtnPRe/7j7yrBmuzya1YsyjrEZNmC9TP9lmBlpMf4YbuP
-----END PRIVATE KEY-----
"""
CERTIFICATE = b"""-----BEGIN CERTIFICATE-----
MIIBlDCCATmgAwIBAgIUC03OgvRYv5ZFQWNuY7vD7Bfs/UcwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFc3RvY2swIBcNMjYxMTE3MTExMDQ4WhgPMjEyNjEwMjQxMTEw
NDhaMBAxDjAMBgNVBAMMBXN0b2NrMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
MRyPGGixFWnfNDfnlwa+5rFuGWf5Wxar93ZgwPW8WbZz0Xv+4+8qwZrs8mtWLMo6
xGTZgvUz/ZZgZaTH+GG7j6NvMG0wHQYDVR0OBBYEFPTOMFiWyoTH+0LEEhQFrGi/
uKnfMB8GA1UdIwQYMBaAFPTOMFiWyoTH+0LEEhQFrGi/uKnfMA8GA1UdEwEB/wQF
MAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAoGCCqGSM49BAMCA0kA
MEYCIQDwmeMAhILfeklM2IyulrWJY11Aixr9/RNsTNHC4yGvpAIhAJwYuq/BduW+
zlP+m0ivCYwRJBQ4rlejwoHGaYh0qbTN
-----END CERTIFICATE-----
"""


def lookup(request, context):
    return {"stock": request["article"] * 17 % 83}


def pack(message):
    return json.dumps(message).encode()


def start_stock_server():
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=2))
    handler = grpc.unary_unary_rpc_method_handler(lookup, json.loads, pack)
    service = grpc.method_handlers_generic_handler("shop.Stock", {"Lookup": handler})
    server.add_generic_rpc_handlers((service,))
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(KEY, CERTIFICATE)]))
    server.start()
    return server, f"127.0.0.1:{port}"


def stock_of(call, article):
    return call({"article": article}, timeout=10)["stock"]


def check_cart(target, articles):
    available = units = 0
    with grpc.secure_channel(target, grpc.ssl_channel_credentials(CERTIFICATE)) as channel:
        call = channel.unary_unary(METHOD, request_serializer=pack, response_deserializer=json.loads)
        for article in articles:
            stock = stock_of(call, article)
            units += stock
            available += stock > 0
    return available, units


def main():
    count = int(sys.argv[1])
    server, target = start_stock_server()
    available, units = check_cart(target, range(count))
    server.stop(None).wait()
    print(f"articles={count} available={available} units={units}")


if __name__ == "__main__":
    main()
