"""gRPC's C-core against the port that all protocols share: core.py <descriptor set> <host:port> [<certificate>].

Writes a line for each thing that holds, and ends with an exception at the first that does not.
"""

import sys

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE = "connectrpc.conformance.v1."
PATH = "/" + PACKAGE + "ConformanceService/"

_pool = descriptor_pool.DescriptorPool()
with open(sys.argv[1], "rb") as file:
    for each in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
        _pool.Add(each)
_factory = message_factory.MessageFactory(_pool)


def message(name):
    return _factory.GetPrototype(_pool.FindMessageTypeByName(PACKAGE + name))


def stub(channel, kind, method):
    request, response = message(method + "Request"), message(method + "Response")
    make = getattr(channel, kind)
    return make(PATH + method, request.SerializeToString, response.FromString), request


def open_channel():
    options = [("grpc.max_receive_message_length", 8 << 20)]
    if len(sys.argv) > 3:
        with open(sys.argv[3], "rb") as file:
            return grpc.secure_channel(sys.argv[2], grpc.ssl_channel_credentials(file.read()), options)
    return grpc.insecure_channel(sys.argv[2], options)


def failure(call):
    try:
        list(call()) if callable(call) else list(call)
    except grpc.RpcError as error:
        return error
    raise AssertionError("the call has not failed")


def ok(what):
    print("ok " + what, flush=True)


channel = open_channel()
for algorithm in (grpc.Compression.NoCompression, grpc.Compression.Gzip, grpc.Compression.Deflate):
    call, Request = stub(channel, "unary_unary", "Unary")
    request = Request(request_data=b"\0" * 20_000)
    request.response_definition.response_data = b"12345"
    request.response_definition.response_headers.add(name="x-test-head", value=["one", "two"])
    request.response_definition.response_trailers.add(name="x-test-tail", value=["end"])
    answer, ended = call.with_call(request, metadata=(("x-test-raw-bin", b"\x09\x08"),), compression=algorithm)
    assert answer.payload.data == b"12345"
    assert [value for name, value in ended.initial_metadata() if name == "x-test-head"] in (
        ["one", "two"],
        ["one, two"],
    )
    assert ("x-test-tail", "end") in [tuple(each) for each in ended.trailing_metadata()]
    ok("unary, %s" % algorithm.name)

call, Request = stub(channel, "unary_stream", "ServerStream")
request = Request()
request.response_definition.response_data.extend([b"1", b"\0" * (1 << 20)])
assert [len(each.payload.data) for each in call(request)] == [1, 1 << 20]
ok("a stream of the server, a message of 1 MiB among it")

call, Request = stub(channel, "stream_unary", "ClientStream")
assert len(call(iter([Request(), Request(), Request()])).payload.request_info.requests) == 3
ok("a stream of the client")

call, Request = stub(channel, "stream_stream", "BidiStream")
first = Request(full_duplex=True)
first.response_definition.response_data.extend([b"1234", b"12345"])
assert [len(each.payload.data) for each in call(iter([first, Request()]))] == [4, 5]
ok("streams in both directions")

call, Request = stub(channel, "unary_unary", "Unary")
request = Request()
request.response_definition.error.code = 9
request.response_definition.error.message = "nicht möglich ☺"
error = failure(lambda: call(request))
assert error.code() == grpc.StatusCode.FAILED_PRECONDITION and error.details() == "nicht möglich ☺"
assert any(name == "grpc-status-details-bin" for name, _ in error.trailing_metadata())
ok("an error with details")

call, Request = stub(channel, "unary_unary", "Unimplemented")
assert failure(lambda: call(Request())).code() == grpc.StatusCode.UNIMPLEMENTED
ok("a method without a handler")

call, Request = stub(channel, "unary_stream", "ServerStream")
request = Request()
request.response_definition.response_data.append(b"1")
request.response_definition.response_delay_ms = 60_000
assert failure(call(request, timeout=0.1)).code() == grpc.StatusCode.DEADLINE_EXCEEDED
ok("a deadline")

stream = call(request)
stream.cancel()
assert failure(stream).code() == grpc.StatusCode.CANCELLED
ok("a call that is cancelled")
channel.close()
