"""Server reflection, which Debian has no package of: grpc.reflection.v1 and v1alpha, of the same shape."""

import grpc

NOT_FOUND = 5


def handlers(protos, versions, services):
    """A generic handler for each version."""
    return [_of_version(protos, version, services) for version in versions]


def _of_version(protos, version, services):
    package = "grpc.reflection.%s." % version
    Request = protos.message(package + "ServerReflectionRequest")
    Response = protos.message(package + "ServerReflectionResponse")

    def converse(requests, context):
        for request in requests:
            response = Response(original_request=request)
            _answer(protos, services, request, response)
            yield response

    handler = grpc.stream_stream_rpc_method_handler(
        converse, Request.FromString, Response.SerializeToString
    )
    return grpc.method_handlers_generic_handler(
        package + "ServerReflection", {"ServerReflectionInfo": handler}
    )


def _answer(protos, services, request, response):
    kind = request.WhichOneof("message_request")
    if kind == "list_services":
        for name in services:
            response.list_services_response.service.add(name=name)
        return
    if kind == "file_by_filename":
        file = protos.file_named(request.file_by_filename)
    else:
        file = protos.file_of(request.file_containing_symbol)
    if file is None:
        response.error_response.error_code = NOT_FOUND
        response.error_response.error_message = "not known"
        return
    response.file_descriptor_response.file_descriptor_proto.append(file.SerializeToString())
