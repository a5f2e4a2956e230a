"""The cases of the test client on C-core: client.py <descriptor set> <host:port> [<authority's certificate>].

Reads `<case> <algorithm>` lines, and answers each with a line of JSON: {"error": null or what is wrong}.
"""

import json
import os
import queue
import sys
import time

import grpc
import protos

INITIAL = "x-grpc-test-echo-initial"
TRAILING = "x-grpc-test-echo-trailing-bin"
METADATA = ((INITIAL, "test_initial_metadata_value"), (TRAILING, b"\xab\xab\xab"))
REQUEST_SIZES = (27182, 8, 1828, 45904)
RESPONSE_SIZES = (31415, 9, 2653, 58979)
SPECIAL = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP \U0001f608\t\n"
LARGE_REQUEST, LARGE_RESPONSE = 271828, 314159
CONCURRENT, RPC_SOAK, CHANNEL_SOAK = (int(each) for each in os.environ["INTEROP_COUNTS"].split(","))

Empty = protos.message("Empty")
Payload = protos.message("Payload")
BoolValue = protos.message("BoolValue")
EchoStatus = protos.message("EchoStatus")
SimpleRequest = protos.message("SimpleRequest")
InputRequest = protos.message("StreamingInputCallRequest")
OutputRequest = protos.message("StreamingOutputCallRequest")
Parameters = protos.message("ResponseParameters")


class Failed(Exception):
    pass


def check(isGood, *what):
    if not isGood:
        raise Failed(" ".join(str(each) for each in what))


def open_channel():
    if len(sys.argv) > 3:
        with open(sys.argv[3], "rb") as file:
            return grpc.secure_channel(sys.argv[2], grpc.ssl_channel_credentials(file.read()))
    return grpc.insecure_channel(sys.argv[2])


class Stub:
    def __init__(self, channel, service="TestService"):
        for path, method, request, response in protos.methods(service):
            make = getattr(channel, "%s_%s" % protos.kind(method))
            setattr(self, method.name, make(path, request.SerializeToString, response.FromString))


def zeros(size):
    return Payload(body=b"\0" * size)


def large(**more):
    return SimpleRequest(response_size=LARGE_RESPONSE, payload=zeros(LARGE_REQUEST), **more)


def check_large(response):
    check(response.payload.body == b"\0" * LARGE_RESPONSE, "wrong body of", len(response.payload.body))


def output(size, payload, **more):
    return OutputRequest(
        response_parameters=[Parameters(size=size)], payload=zeros(payload), **more
    )


def sizes(responses):
    return tuple(len(each.payload.body) for each in responses)


def failure(run):
    try:
        result = run()
    except grpc.RpcError as error:
        return error
    raise Failed("expected an error, got %s" % result)


def check_failure(run, code, details=None):
    error = failure(run)
    check(error.code() is code, "expected", code, "got", error.code(), error.details())
    if details is not None:
        check(error.details() == details, "expected", repr(details), "got", repr(error.details()))


class Pipe:
    """Requests that are given one by one."""

    def __init__(self):
        self._queue = queue.Queue()

    def send(self, request):
        self._queue.put(request)

    def close(self):
        self._queue.put(None)

    def __iter__(self):
        return iter(self._queue.get, None)


def empty_unary(stub, _):
    check(stub.EmptyCall(Empty()) == Empty(), "no empty message")


def large_unary(stub, _):
    check_large(stub.UnaryCall(large()))


def client_compressed_unary(stub, algorithm):
    compressed = large(expect_compressed=BoolValue(value=True))
    check_failure(lambda: stub.UnaryCall(compressed), grpc.StatusCode.INVALID_ARGUMENT)
    check_large(stub.UnaryCall(compressed, compression=algorithm))
    check_large(stub.UnaryCall(large(expect_compressed=BoolValue(value=False))))


def server_compressed_unary(stub, _):
    for value in (True, False):
        check_large(stub.UnaryCall(large(response_compressed=BoolValue(value=value))))


def client_streaming(stub, _):
    requests = (InputRequest(payload=zeros(size)) for size in REQUEST_SIZES)
    total = stub.StreamingInputCall(requests).aggregated_payload_size
    check(total == 74922, "got", total)


def client_compressed_streaming(stub, algorithm):
    probe = InputRequest(expect_compressed=BoolValue(value=True), payload=zeros(27182))
    call = lambda: stub.StreamingInputCall(iter([probe]))
    check_failure(call, grpc.StatusCode.INVALID_ARGUMENT)
    # Python has no switch for single requests; C-core leaves alone what would become longer.
    noise = Payload(body=os.urandom(45904))
    plain = InputRequest(expect_compressed=BoolValue(value=False), payload=noise)
    response = stub.StreamingInputCall(iter([probe, plain]), compression=algorithm)
    check(response.aggregated_payload_size == 73086, "got", response.aggregated_payload_size)


def server_streaming(stub, _):
    parameters = [Parameters(size=size) for size in RESPONSE_SIZES]
    got = sizes(stub.StreamingOutputCall(OutputRequest(response_parameters=parameters)))
    check(got == RESPONSE_SIZES, "got", got)


def server_compressed_streaming(stub, _):
    parameters = [
        Parameters(size=31415, compressed=BoolValue(value=True)),
        Parameters(size=92653, compressed=BoolValue(value=False)),
    ]
    got = sizes(stub.StreamingOutputCall(OutputRequest(response_parameters=parameters)))
    check(got == (31415, 92653), "got", got)


def ping_pong(stub, _):
    pipe = Pipe()
    responses = stub.FullDuplexCall(iter(pipe))
    for response, request in zip(RESPONSE_SIZES, REQUEST_SIZES):
        pipe.send(output(response, request))
        got = len(next(responses).payload.body)
        check(got == response, "expected", response, "got", got)
    pipe.close()
    check(list(responses) == [], "a fifth response")


def empty_stream(stub, _):
    check(list(stub.FullDuplexCall(iter([]))) == [], "a response")


def custom_metadata(stub, _):
    def checked(call):
        initial, trailing = dict(call.initial_metadata()), dict(call.trailing_metadata())
        check(initial.get(INITIAL) == METADATA[0][1], "initial metadata", initial)
        check(trailing.get(TRAILING) == METADATA[1][1], "trailing metadata", trailing)

    response, call = stub.UnaryCall.with_call(large(), metadata=METADATA)
    check_large(response)
    checked(call)
    call = stub.FullDuplexCall(iter([output(LARGE_RESPONSE, LARGE_REQUEST)]), metadata=METADATA)
    check(sizes(call) == (LARGE_RESPONSE,), "wrong responses")
    checked(call)


def status_code_and_message(stub, _):
    status = EchoStatus(code=2, message="test status message")
    unknown = grpc.StatusCode.UNKNOWN
    check_failure(lambda: stub.UnaryCall(SimpleRequest(response_status=status)), unknown, status.message)
    requests = [OutputRequest(response_status=status)]
    check_failure(lambda: list(stub.FullDuplexCall(iter(requests))), unknown, status.message)


def special_status_message(stub, _):
    request = SimpleRequest(response_status=EchoStatus(code=2, message=SPECIAL))
    check_failure(lambda: stub.UnaryCall(request), grpc.StatusCode.UNKNOWN, SPECIAL)


def unimplemented_method(stub, _):
    check_failure(lambda: stub.UnimplementedCall(Empty()), grpc.StatusCode.UNIMPLEMENTED)


def unimplemented_service(stub, _):
    call = Stub(stub.channel, "UnimplementedService").UnimplementedCall
    check_failure(lambda: call(Empty()), grpc.StatusCode.UNIMPLEMENTED)


def cancel_after_begin(stub, _):
    pipe = Pipe()
    call = stub.StreamingInputCall.future(iter(pipe))
    call.cancel()
    check(call.code() is grpc.StatusCode.CANCELLED, "got", call.code())
    pipe.close()


def cancel_after_first_response(stub, _):
    pipe = Pipe()
    call = stub.FullDuplexCall(iter(pipe))
    # The server is still busy when it is cancelled: at the end of the requests it would be done.
    parameters = [Parameters(size=31415), Parameters(size=1, interval_us=3000000)]
    pipe.send(OutputRequest(response_parameters=parameters, payload=zeros(27182)))
    check(len(next(call).payload.body) == 31415, "wrong response")
    call.cancel()
    check_failure(lambda: next(call), grpc.StatusCode.CANCELLED)
    pipe.close()


def timeout_on_sleeping_server(stub, _):
    pipe = Pipe()
    pipe.send(OutputRequest(payload=zeros(27182)))
    call = lambda: next(stub.FullDuplexCall(iter(pipe), timeout=0.001))
    check_failure(call, grpc.StatusCode.DEADLINE_EXCEEDED)
    pipe.close()


def concurrent_large_unary(stub, _):
    for call in [stub.UnaryCall.future(large()) for _ in range(CONCURRENT)]:
        check_large(call.result())


def rpc_soak(stub, _):
    for _ in range(RPC_SOAK):
        check_large(stub.UnaryCall(large()))


def channel_soak(_, __):
    for _ in range(CHANNEL_SOAK):
        with open_channel() as channel:
            check_large(Stub(channel).UnaryCall(large()))


def main():
    algorithms = {"gzip": grpc.Compression.Gzip, "deflate": grpc.Compression.Deflate}
    with open_channel() as channel:
        stub = Stub(channel)
        stub.channel = channel
        for line in sys.stdin:
            case, algorithm = line.split()
            error = None
            try:
                globals()[case](stub, algorithms[algorithm])
            except Exception as caught:
                error = "%s: %s" % (type(caught).__name__, caught)
            print(json.dumps({"error": error}), flush=True)


main()
