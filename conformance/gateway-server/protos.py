"""Messages and services of a descriptor set."""

import importlib
import os
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory


class Protos:
    """What a binary FileDescriptorSet declares.

    Files that a folder has generated code of are those of the code, which has no JSON names but given ones.
    """

    def __init__(self, file, folder):
        with open(file, "rb") as opened:
            files = descriptor_pb2.FileDescriptorSet.FromString(opened.read()).file
        sys.path.append(folder)
        self.files = [_embedded(each, folder) for each in files]
        self._pool = descriptor_pool.DescriptorPool()
        for each in self.files:
            self._pool.Add(each)
        self._factory = message_factory.MessageFactory(self._pool)

    def message(self, full_name):
        """The class of a message."""
        return self._factory.GetPrototype(self._pool.FindMessageTypeByName(full_name))

    def service(self, full_name):
        """The descriptor of a service, with which of its methods stream."""
        for file in self.files:
            for service in file.service:
                if file.package + "." + service.name == full_name:
                    return service
        raise KeyError(full_name)

    def file_of(self, symbol):
        """The file that declares a service, or None."""
        for file in self.files:
            for service in file.service:
                if file.package + "." + service.name == symbol:
                    return file
        return None

    def file_named(self, name):
        """The file of that name, or None."""
        return next((file for file in self.files if file.name == name), None)


def _embedded(file, folder):
    path = file.name[: -len(".proto")] + "_pb2"
    if not os.path.exists(os.path.join(folder, path + ".py")):
        return file
    module = importlib.import_module(path.replace("/", "."))
    return descriptor_pb2.FileDescriptorProto.FromString(module.DESCRIPTOR.serialized_pb)
