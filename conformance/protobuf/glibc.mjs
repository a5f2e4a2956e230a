import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1'];
/** The first release with a glibc that the runner accepts. */
const SUITE = 'trixie';
const SOURCES = '/etc/apt/sources.list';

/**
 * The command that runs a program which needs glibc 2.38: the program itself where the machine
 * has one, else the program under the loader of a newer Debian, unpacked into `folder`. What the
 * program starts has the machine's own libraries.
 */
export function withNewGlibc(program, folder) {
  if (!needsNewGlibc(program)) return [program];
  const libraries = join(folder, 'usr/lib/x86_64-linux-gnu');
  if (!existsSync(libraries)) unpack(folder);
  return [join(libraries, 'ld-linux-x86-64.so.2'), '--library-path', libraries, program];
}

function needsNewGlibc(program) {
  const { stdout, stderr } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return `${stdout}${stderr}`.includes('not found');
}

/** The packages are verified as those of the machine are; nothing is installed. */
function unpack(folder) {
  const work = `${folder}.unpacking`;
  rmSync(work, { recursive: true, force: true });
  for (const name of ['lists/partial', 'archives/partial', 'root']) {
    mkdirSync(join(work, name), { recursive: true });
  }
  writeFileSync(join(work, 'sources.list'), `deb ${mirror()} ${SUITE} main\n`);
  const options = Object.entries({
    'Dir::Etc::sourcelist': join(work, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(work, 'lists'),
    'Dir::Cache': work,
    'Acquire::Languages': 'none',
    'APT::Sandbox::User': 'root',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (...command) =>
    execFileSync('apt-get', ['-qq', ...options, ...command], {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  apt('update');
  apt('download', ...PACKAGES);
  for (const file of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['-x', join(work, file), join(work, 'root')]);
  }
  renameSync(join(work, 'root'), folder);
  rmSync(work, { recursive: true, force: true });
}

/** The mirror that the machine itself installs from. */
function mirror() {
  const parts = `${SOURCES}.d`;
  const files = [SOURCES, ...readdirSync(parts).map((name) => join(parts, name))];
  for (const file of files.filter((name) => existsSync(name))) {
    const text = readFileSync(file, 'utf8');
    const found = /^(?:URIs: *|deb +(?:\[[^\]]*\] +)?)(\S+\/debian\/?)(?:\s|$)/m.exec(text);
    if (found !== null) return found[1];
  }
  throw new Error('the mirror of this machine was not found: add one to /etc/apt/sources.list');
}
