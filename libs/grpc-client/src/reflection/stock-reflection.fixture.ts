import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { boundPort } from '../bound-port.fixture.js';

const WEATHER = `
syntax = "proto3";
package weather;
enum Kind { UNKNOWN = 0; RAIN = 1; }
`;

const FORECAST = `
syntax = "proto3";
package weather.v1;
import "weather.proto";
import "google/protobuf/timestamp.proto";
message Day {
  message Wind { int32 top_speed = 1; }
  string town_name = 1;
  weather.Kind day_kind = 2;
  Wind main_wind = 3;
  map<string, Wind> wind_by_hour = 4;
  optional int32 least_degrees = 5;
  oneof source { string station_name = 6; int64 satellite_id = 7; }
  google.protobuf.Timestamp issued_at = 8;
  repeated sint32 hourly_degrees = 9;
}
message DayRequest { string town_name = 1; }
service Forecast { rpc GetDay(DayRequest) returns (Day); }
`;

/** What the handler of {@link stockServer} answers to everything. */
const DAY = {
  day_kind: 1,
  main_wind: { top_speed: 30 },
  wind_by_hour: { noon: { top_speed: 12 } },
  least_degrees: 0,
  satellite_id: '9007199254740993',
  issued_at: { seconds: 1, nanos: 0 },
  hourly_degrees: [-1, 2],
};

/** A server as a stock Nest app has it: from .proto files, described by `@grpc/reflection`. */
export async function stockServer(): Promise<{ endpoint: string; stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'apix-stock-'));
  writeFileSync(join(folder, 'weather.proto'), WEATHER);
  writeFileSync(join(folder, 'forecast.proto'), FORECAST);
  const definition = loadSync('forecast.proto', { includeDirs: [folder], keepCase: true });
  rmSync(folder, { recursive: true });
  const server = new Server();
  const handlers: UntypedServiceImplementation = {
    GetDay: ({ request }: { request: object }, respond: (error: null, day: object) => void): void =>
      respond(null, { ...DAY, ...request }),
  };
  server.addService(definition['weather.v1.Forecast'] as ServiceDefinition, handlers);
  new ReflectionService(definition).addToServer(server);
  const port = await boundPort(server);
  return { endpoint: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}
