import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(join(process.cwd(), 'package.json'));

/** Runs buf from the npm package and returns what it printed. It is never given a remote input. */
export function buf(cwd: string, ...args: string[]): string {
  const home = dirname(require.resolve('@bufbuild/buf/package.json'));
  return execFileSync(process.execPath, [join(home, 'bin/buf'), ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** A buf.gen.yaml (as JSON) that writes TypeScript for protobuf-es into `out`. */
export function typescriptTemplate(out: string): string {
  const home = dirname(require.resolve('@bufbuild/protoc-gen-es/package.json'));
  return JSON.stringify({
    version: 'v2',
    plugins: [
      {
        local: [process.execPath, join(home, 'bin/protoc-gen-es')],
        out,
        strategy: 'all',
        opt: [
          'target=ts',
          'import_extension=js',
          'rewrite_imports=./buf/validate/*_pb.js:@bufbuild/protovalidate/gen',
        ],
      },
    ],
  });
}
