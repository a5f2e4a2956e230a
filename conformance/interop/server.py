"""The test server on C-core: server.py <descriptor set> [<certificate> <key>]. Says `ready <port>`."""

import sys
import time
from concurrent import futures

import grpc
import protos

INITIAL = "x-grpc-test-echo-initial"
TRAILING = "x-grpc-test-echo-trailing-bin"
CODES = {code.value[0]: code for code in grpc.StatusCode}

Payload = protos.message("Payload")
SimpleResponse = protos.message("SimpleResponse")
InputResponse = protos.message("StreamingInputCallResponse")
OutputResponse = protos.message("StreamingOutputCallResponse")


def echo_metadata(context):
    given = dict(context.invocation_metadata())
    if INITIAL in given:
        context.send_initial_metadata(((INITIAL, given[INITIAL]),))
    if TRAILING in given:
        context.set_trailing_metadata(((TRAILING, given[TRAILING]),))


def echo_status(request, context):
    if request.HasField("response_status"):
        context.abort(CODES[request.response_status.code], request.response_status.message)


def zeros(size):
    return Payload(body=b"\0" * size)


def compression_of(context):
    """The algorithm that the caller asks for, by a header of this test."""
    name = dict(context.invocation_metadata()).get("x-compression")
    return grpc.Compression.Deflate if name == "deflate" else grpc.Compression.Gzip


def empty_call(request, context):
    return protos.message("Empty")()


def unary_call(request, context):
    if request.response_compressed.value:
        context.set_compression(compression_of(context))
    echo_metadata(context)
    echo_status(request, context)
    return SimpleResponse(payload=zeros(request.response_size))


def outputs(request, context):
    for wanted in request.response_parameters:
        time.sleep(wanted.interval_us / 1e6)
        if not wanted.compressed.value:
            context.disable_next_message_compression()
        yield OutputResponse(payload=zeros(wanted.size))


def streaming_output_call(request, context):
    if any(each.compressed.value for each in request.response_parameters):
        context.set_compression(compression_of(context))
    echo_status(request, context)
    yield from outputs(request, context)


def streaming_input_call(requests, context):
    total = sum(len(request.payload.body) for request in requests)
    return InputResponse(aggregated_payload_size=total)


def full_duplex_call(requests, context):
    echo_metadata(context)
    for request in requests:
        echo_status(request, context)
        yield from outputs(request, context)


def half_duplex_call(requests, context):
    for request in list(requests):
        yield from outputs(request, context)


HANDLERS = {
    "EmptyCall": empty_call,
    "UnaryCall": unary_call,
    "StreamingOutputCall": streaming_output_call,
    "StreamingInputCall": streaming_input_call,
    "FullDuplexCall": full_duplex_call,
    "HalfDuplexCall": half_duplex_call,
}


def watched(name, handler, streams):
    """Says `cancelled <method>` when a call ends before its handler."""

    def watch(context):
        state = {"done": False}
        context.add_callback(lambda: state["done"] or print("cancelled " + name, flush=True))
        return state

    def one(request, context):
        state = watch(context)
        try:
            return handler(request, context)
        finally:
            state["done"] = context.is_active()

    def several(request, context):
        state = watch(context)
        try:
            yield from handler(request, context)
        finally:
            state["done"] = context.is_active()

    return several if streams else one


def handler_of(method, request, response):
    kind = protos.kind(method)
    handler = watched(method.name, HANDLERS[method.name], kind[1] == "stream")
    make = getattr(grpc, "%s_%s_rpc_method_handler" % kind)
    return make(handler, request.FromString, response.SerializeToString)


def serve():
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=64))
    served = {
        method.name: handler_of(method, request, response)
        for _, method, request, response in protos.methods("TestService")
        if method.name in HANDLERS
    }
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("grpc.testing.TestService", served),)
    )
    if len(sys.argv) > 2:
        cert, key = (open(name, "rb").read() for name in sys.argv[2:4])
        port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(key, cert)]))
    else:
        port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print("ready %d" % port, flush=True)
    # Ends with who started it, however that ends.
    sys.stdin.read()
    server.stop(0)


serve()
