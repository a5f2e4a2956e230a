// @apix/http2 compared with node:http2 and nghttp2: sequences of frames, header lists, and the clients and servers of
// others: `npm run conformance:http2`. As root on Debian it installs nghttp2-client and nghttp2-server.
//   --sequences N   of frames; 1,000,000 unless it is said
//   --from N        the first of them; 0 unless it is said
//   --seed N        other ones
//   --only N        one sequence alone, as the output names it
//   --quick         1,500 sequences, and less of the rest
// HPACK_STORIES names a checkout of http2jp/hpack-test-case, whose blocks are read too.
import { execFileSync } from 'node:child_process';
import { runBundled } from '../bundle.mjs';

const PROGRAMS = ['nghttp', 'nghttpd', 'h2load', 'curl'];
const PACKAGES = ['nghttp2-client', 'nghttp2-server', 'libnghttp2-14', 'curl'];

function isInstalled(program) {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

if (!PROGRAMS.every(isInstalled)) {
  if (process.getuid?.() !== 0) {
    console.error(`install them first: apt-get install ${PACKAGES.join(' ')}`);
    process.exit(1);
  }
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES],
    options,
  );
}
await runBundled(import.meta.dirname, ['main.ts', 'batch.ts']);
