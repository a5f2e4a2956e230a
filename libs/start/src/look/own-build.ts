import { type AppFiles, sameText } from '../app/app-files.js';
import { readManifest } from '../app/manifest-file.js';
import { PROTO_SCRIPT } from '../app/proto-scripts.js';
import { bufYaml } from '../texts/proto-texts.js';
import type { Obstacle } from './obstacle.js';
import { protosOf } from './protos.js';

/** What the app would load has to be what this package compiles. */
export function ownBuild(files: AppFiles): Obstacle | undefined {
  const { notFound, hasGoogleApi } = protosOf(files);
  if (notFound !== undefined) {
    return {
      why: `${notFound}, which is not below proto/`,
      remedy: 'correct the import, which starts below proto/',
    };
  }
  const yaml = bufYaml(hasGoogleApi);
  if (!sameText(files.text('buf.yaml') ?? yaml, yaml)) {
    return {
      why: "buf.yaml is the app's own",
      remedy: `make its modules those of\n${yaml}`,
    };
  }
  const script = readManifest(files).scripts?.['proto'] ?? PROTO_SCRIPT;
  if (script === PROTO_SCRIPT) return undefined;
  return {
    why: 'the script "proto" of package.json is the app\'s own',
    remedy: `rename it: "proto" has to be \`${PROTO_SCRIPT}\``,
  };
}
