// `npx @apix/gateway-server` from packed packages in an empty folder, in front of a Python server on gRPC's C-core, as a
// stranger would try it: `npm run conformance:gateway-server`. Expects `npm run build`; as root on Debian it installs
// python3-grpcio and Chromium.
//   --only <part>   one part alone: npx, rest, streams, page, tls, policies, lifecycle, traces, container,
//                   hostile
import { execFileSync } from 'node:child_process';
import { runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';
import { installGateway } from './installed.mjs';

function installPython() {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import grpc, google.protobuf'], { stdio: 'ignore' });
    return;
  } catch {
    if (process.getuid?.() !== 0) throw new Error('install python3-grpcio first');
  }
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const packages = ['install', '-y', '-qq', '--no-install-recommends', 'python3-grpcio'];
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync('apt-get', packages, options);
}

installPython();
installChromium();
const { remove, ...places } = await installGateway();
process.env.GATEWAY_PLACES = JSON.stringify(places);
try {
  await runBundled(import.meta.dirname, ['main.ts']);
} finally {
  remove();
}
