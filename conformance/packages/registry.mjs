// A registry on the loopback interface that serves the packages of this repository as they would
// be published, so that commands such as `npm install @apix/authz` can be run as users run them.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** Packs every package, which must be built, and serves them. */
export async function startRegistry() {
  const folder = await mkdtemp(join(tmpdir(), 'apix-registry-'));
  const packages = new Map();
  for (const name of await readdir(join(root, 'libs'))) {
    const home = join(root, 'libs', name);
    const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
    const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
    const { stdout } = await run('npm', args, { cwd: home });
    const file = stdout.trim().split('\n').at(-1);
    const tarball = await readFile(join(folder, file));
    packages.set(manifest.name, [{ manifest, tarball, file }]);
  }
  await rm(folder, { recursive: true });
  return serve(packages);
}

/** Serves packed packages: by name, a list of versions, the last of which is the latest. */
export async function serve(packages) {
  const server = createServer((request, response) => {
    const [, name, file] =
      /^\/(@apix\/[^/]+)(?:\/-\/(.+))?$/.exec(decodeURIComponent(request.url)) ?? [];
    const found = packages.get(name);
    const packed = found?.find((one) => one.file === file);
    if (found === undefined || (file !== undefined && packed === undefined)) {
      response.writeHead(404).end('{}');
    } else if (file === undefined) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(documentOf(found, address())));
    } else {
      response.end(packed.tarball);
    }
  });
  const address = () => `http://127.0.0.1:${server.address().port}`;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    names: [...packages.keys()],
    manifestOf: (name) => packages.get(name).at(-1).manifest,
    /** An .npmrc by which npm finds the packages here, and all others where it always does. */
    npmrc: `@apix:registry=${address()}/\n`,
    close: () => server.close(),
  };
}

function documentOf(found, address) {
  const versions = found.map((one) => [one.manifest.version, publishedAs(one, address)]);
  const { name, version } = found.at(-1).manifest;
  return { name, 'dist-tags': { latest: version }, versions: Object.fromEntries(versions) };
}

function publishedAs({ manifest, tarball, file }, address) {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { tarball: `${address}/${name}/-/${file}`, integrity };
  return { ...manifest, scripts: {}, devDependencies: {}, _id: `${name}@${version}`, dist };
}
