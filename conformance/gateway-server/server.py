"""A garden on gRPC's C-core: server.py <descriptor set> <folder of generated code> <settings as JSON>.

Settings: port (0), reflection (["v1", "v1alpha"]), cert, key, ca. Says `ready <port>`, and `called <method>`
for each call that comes. Ends with its standard input.
"""

import json
import sys
import threading
import time
from concurrent import futures

import grpc
import protos as descriptors
import reflection

protos = descriptors.Protos(sys.argv[1], sys.argv[2])
settings = json.loads(sys.argv[3])
lock = threading.Lock()

Plant = protos.message("garden.v1.Plant")
Plants = protos.message("garden.v1.ListPlantsResponse")
SowResponse = protos.message("garden.v1.SowResponse")
WaterResponse = protos.message("garden.v1.WaterResponse")
Word = protos.message("garden.v1.Word")
Health = protos.message("grpc.health.v1.HealthCheckResponse")
Status = protos.message("google.rpc.Status")
BadRequest = protos.message("google.rpc.BadRequest")

HEIGHTS = {"plants/rose": 120, "plants/moss": 2, "plants/oak": 2500}


def say(text):
    with lock:
        print(text, flush=True)


def refuse(context, field, description):
    """INVALID_ARGUMENT with google.rpc.BadRequest, as grpcio-status makes it."""
    detail = BadRequest()
    detail.field_violations.add(field=field, description=description)
    status = Status(code=3, message="the request is wrong")
    status.details.add().Pack(detail)
    context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
    context.abort(grpc.StatusCode.INVALID_ARGUMENT, status.message)


def get_plant(request, context):
    if request.name not in HEIGHTS:
        context.abort(grpc.StatusCode.NOT_FOUND, "no %s here" % request.name)
    return Plant(name=request.name, height=HEIGHTS[request.name])


def list_plants(request, context):
    found = Plants()
    for name, height in HEIGHTS.items():
        if height >= request.min_height:
            found.plants.add(name=name, height=height, bed=", ".join(request.beds))
    return found


def create_plant(request, context):
    if request.plant.height < 0:
        refuse(context, "plant.height", "must not be negative")
    made = Plant(bed=request.bed)
    made.MergeFrom(request.plant)
    made.bed = request.bed
    return made


def watch_plants(request, context):
    for time_ in range(min(request.times, 1000)):
        time.sleep(request.every_ms / 1000)
        yield Plant(name="plants/rose", height=time_)
    if request.fails:
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "it is full grown")


def sow(requests, context):
    counts = [request.count for request in requests]
    return SowResponse(messages=len(counts), seeds=sum(counts))


def talk(requests, context):
    for request in requests:
        yield Word(text=request.text[::-1])


def water(request, context):
    time.sleep(min(request.takes_ms, 10_000) / 1000)
    given = WaterResponse()
    for key, value in context.invocation_metadata():
        given.metadata[key] = value if isinstance(value, str) else value.hex()
    return given


def look(request, context):
    return Word(text="no %s in the shed" % request.text)


def check(request, context):
    return Health(status=1)


SERVICES = {
    "garden.v1.Garden": {
        "GetPlant": get_plant,
        "ListPlants": list_plants,
        "CreatePlant": create_plant,
        "WatchPlants": watch_plants,
        "Sow": sow,
        "Talk": talk,
        "Water": water,
    },
    "garden.v1.Shed": {"Look": look},
    "grpc.health.v1.Health": {"Check": check},
}


def noted(path, handler):
    def call(request, context):
        say("called " + path)
        return handler(request, context)

    return call


def handler_of(service, name, handler):
    method = next(it for it in protos.service(service).method if it.name == name)
    kind = [
        "stream" if streams else "unary"
        for streams in (method.client_streaming, method.server_streaming)
    ]
    make = getattr(grpc, "%s_%s_rpc_method_handler" % tuple(kind))
    request = protos.message(method.input_type[1:])
    response = protos.message(method.output_type[1:])
    behaviour = noted(service + "/" + name, handler)
    return make(behaviour, request.FromString, response.SerializeToString)


def listen(server):
    address = "127.0.0.1:%d" % settings.get("port", 0)
    if "cert" not in settings:
        return server.add_insecure_port(address)
    read = lambda name: open(settings[name], "rb").read() if name in settings else None
    credentials = grpc.ssl_server_credentials(
        [(read("key"), read("cert"))],
        root_certificates=read("ca"),
        require_client_auth="ca" in settings,
    )
    return server.add_secure_port(address, credentials)


def serve():
    # Python lets several servers have one port otherwise.
    options = [("grpc.so_reuseport", 0)]
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=64), options=options)
    for service, methods in SERVICES.items():
        served = {name: handler_of(service, name, it) for name, it in methods.items()}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, served),))
    versions = settings.get("reflection", ["v1", "v1alpha"])
    for handler in reflection.handlers(protos, versions, list(SERVICES)):
        server.add_generic_rpc_handlers((handler,))
    port = listen(server)
    server.start()
    say("ready %d" % port)
    sys.stdin.read()
    server.stop(5).wait()


serve()
