"""The messages of grpc.testing, made from a descriptor set: argv[1]."""

import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_pool = descriptor_pool.DescriptorPool()
with open(sys.argv[1], "rb") as file:
    for each in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
        _pool.Add(each)
_factory = message_factory.MessageFactory(_pool)


def message(name):
    return _factory.GetPrototype(_pool.FindMessageTypeByName("grpc.testing." + name))


def methods(service):
    """Its methods as (path, descriptor, request class, response class)."""
    found = _pool.FindServiceByName("grpc.testing." + service)
    for method in found.methods:
        path = "/%s/%s" % (found.full_name, method.name)
        yield path, method, message(method.input_type.name), message(method.output_type.name)


# The Python descriptors of this release do not say which methods stream.
STREAMS = {
    "StreamingOutputCall": ("unary", "stream"),
    "StreamingInputCall": ("stream", "unary"),
    "FullDuplexCall": ("stream", "stream"),
    "HalfDuplexCall": ("stream", "stream"),
}


def kind(method):
    return STREAMS.get(method.name, ("unary", "unary"))
