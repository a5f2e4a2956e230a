// `npx @apix/gateway-server` from packed packages in an empty folder, in front of servers of Python and C++, as a
// stranger would try it: `npm run conformance:gateway-server`. Expects `npm run build`; as root on Debian it installs
// gRPC of Python and C++, protoc, a compiler and Chromium.
//   --only <part>   one part alone: npx, rest, languages, streams, page, tls, policies, protocols, lifecycle, traces,
//                   container, hostile
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';
import { installed } from '../installed.mjs';
import { installGateway } from './installed.mjs';

const PACKAGES = [
  'python3-grpcio',
  'protobuf-compiler',
  'protobuf-compiler-grpc',
  'libgrpc++-dev',
  'libprotobuf-dev',
  'g++',
  'pkg-config',
];

function installServers() {
  try {
    execFileSync('dpkg', ['-s', ...PACKAGES], { stdio: 'ignore' });
    return;
  } catch {
    if (process.getuid?.() !== 0) throw new Error(`install ${PACKAGES.join(', ')} first`);
  }
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES],
    options,
  );
}

installServers();
// Connect's clients.
installed(join(import.meta.dirname, '../connect'));
installChromium();
const { remove, ...places } = await installGateway();
process.env.GATEWAY_PLACES = JSON.stringify(places);
try {
  await runBundled(import.meta.dirname, ['main.ts']);
} finally {
  remove();
}
