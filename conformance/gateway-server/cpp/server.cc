// A drawer of seeds with the server reflection of gRPC C++. Says `ready <port>`, and `called` for each call;
// ends with its standard input.
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>

#include <iostream>
#include <string>

#include "seeds.grpc.pb.h"

class Drawer final : public seeds::v1::Drawer::Service {
  grpc::Status Open(grpc::ServerContext*, const seeds::v1::Packet* request,
                    seeds::v1::Packet* response) override {
    std::cout << "called" << std::endl;
    *response = *request;
    if (request->printed_text() == "illegible") response->clear_plant_name();
    return grpc::Status::OK;
  }
};

int main() {
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  Drawer drawer;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&drawer);
  const auto server = builder.BuildAndStart();
  std::cout << "ready " << port << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
  }
  server->Shutdown();
}
