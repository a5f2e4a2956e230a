import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../existing-app/redis.mjs';
import { filesOf } from '../existing-app/day.mjs';
import { call, same, shell, start } from './shell.mjs';

const MOST_SECONDS = 300;
const CALLERS = [
  ['nobody', undefined, 401, 16],
  ['a stranger', 'Bearer dev-stranger', 403, 7],
  ['a friend', 'Bearer dev-friend', 200, 0],
];

const FAREWELL = `syntax = "proto3";
package hello.v1;

import "apix/authz/authz.proto";
import "google/api/annotations.proto";

service Farewells {
  rpc Say(SayRequest) returns (stream SayResponse) {
    option (apix.authz.requires) = {public: true};
    option (google.api.http) = {get: "/v1/farewells/{name}"};
  }
}

message SayRequest {
  string name = 1;
}

message SayResponse {}
`;

/**
 * From `nest new` to three callers over REST and gRPC, in less than five minutes and without an edit by hand. Then
 * what a team does next: its tests, a service from a .proto file, and a policy that is saved while Nest watches.
 */
export async function takeNewApp({ cli, parent, npmrc }) {
  const begun = performance.now();
  const folder = join(parent, 'shop');
  const [PORT, GRPC_PORT] = [String(await freePort()), String(await freePort())];
  const greeting = `http://127.0.0.1:${PORT}/v1/greetings/Bob`;
  let app;
  const run = async (...command) => {
    app = start(folder, { PORT, GRPC_PORT }, ...command);
    await app.answers(greeting);
  };
  try {
    await shell(parent, `npx --yes @nestjs/cli@${cli} new shop --package-manager npm --skip-git`);
    await writeFile(join(folder, '.npmrc'), npmrc);
    const said = await shell(folder, 'npx nest add @apix/start 2>&1');
    const last = 'nothing to do by hand\n';
    same(
      'what is left to do is said after the installation',
      tail(said).includes(last),
      true,
      said,
    );
    await run('npm', 'start');
    for (const [who, authorization, status, code] of CALLERS) {
      const headers = authorization === undefined ? {} : { authorization };
      const rest = await fetch(greeting, { headers });
      const text = await rest.text();
      same(`${who} over REST`, rest.status, status, app.output());
      const grpc = await call(folder, GRPC_PORT, '/hello.v1.Greeter/Greet', 'Bob', authorization);
      same(`${who} over gRPC`, grpc.code, code, app.output());
      if (status === 200) {
        same('the greeting over REST', JSON.parse(text).text, 'Hello, Bob!');
        same('the greeting over gRPC', grpc.text, 'Hello, Bob!');
      }
    }
    const home = await fetch(`http://127.0.0.1:${PORT}/`);
    same('the page that the CLI made', [home.status, await home.text()], [200, 'Hello World!']);
    await app.stop();
    same('why the stranger was denied, in the log', denialsOf(app.output(), 'bob'), [
      'roles; roles: any of friend',
      'roles; roles: any of friend',
    ]);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    if (seconds > MOST_SECONDS) throw new Error(`${seconds} s; ${MOST_SECONDS} are allowed`);
    console.log(`from nothing to three callers in ${seconds} s`);

    const before = [...(await filesOf(folder))];
    await shell(folder, 'npx nest add @apix/start');
    same('a second run changes no file', [...(await filesOf(folder))], before);

    const proto = join(folder, 'proto/hello/v1/hello.proto');
    await writeFile(join(folder, 'proto/hello/v1/farewell.proto'), FAREWELL);
    await shell(folder, 'npx nest g -c @apix/start service proto/hello/v1/farewell.proto');
    await shell(folder, 'npm run build');
    await shell(folder, 'npm test');
    await shell(folder, 'npm run test:e2e');
    await run('npm', 'run', 'start:dev');
    const unwritten = await fetch(`http://127.0.0.1:${PORT}/v1/farewells/Bob`);
    same('a service from a .proto file', unwritten.status, 501);
    const text = await readFile(proto, 'utf8');
    await writeFile(proto, text.replace('{roles: {any_of: ["friend"]}}', '{public: true}'));
    await app.answers(greeting, 200);
    console.log('ok  a policy that was saved holds in the app that nest watches');
    await app.stop();

    await writeFile(proto, text);
    await run('npx', 'nest', 'start');
    const told = app.output().includes('gen/api.binpb is older than proto/hello/v1/hello.proto');
    same('a stale set is told at the start', told, true);
    await app.stop();
  } finally {
    await app?.kill();
  }
}

/** The reasons in the events of a caller's denied requests. */
function denialsOf(output, caller) {
  const events = output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"denied"'));
  return events
    .map((line) => JSON.parse(line))
    .filter(({ subject }) => subject === caller)
    .map(({ denied, requires }) => `${denied}; ${requires}`);
}

/** What follows the installation. */
function tail(said) {
  return said.slice(said.lastIndexOf('Packages installed successfully'));
}
