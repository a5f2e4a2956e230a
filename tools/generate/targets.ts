import type { UnitConfig } from '@apix/hostx-os/sdnotify';
import { GOOGLE_API_PATHS } from './google-api.js';

/** One folder of generated TypeScript. */
export interface TypeScriptTarget {
  readonly kind: 'typescript';
  /** Output folder; everything in it is generated. */
  readonly out: string;
  /** Files or folders to generate for, as import paths. */
  readonly paths: readonly string[];
  /** Whether to generate what they import too. Default: no. */
  readonly withImports?: boolean;
}

/** One FileDescriptorSet, with imports and source info. */
export interface DescriptorTarget {
  readonly kind: 'descriptors';
  readonly out: string;
  readonly paths: readonly string[];
}

/** .proto files with the declarations of others and comments of our own, for a package that publishes them. */
export interface ProtoTarget {
  readonly kind: 'proto';
  /** Folder below which they are at their import paths. */
  readonly out: string;
  readonly paths: readonly string[];
}

/** One file copied into a package that publishes it. */
export interface CopyTarget {
  readonly kind: 'copy';
  readonly out: string;
  /** From the root of the repository. */
  readonly from: string;
}

/** A page for browsers, embedded as texts into the package that serves it. */
export interface PageTarget {
  readonly kind: 'page';
  /** The module with the texts. */
  readonly out: string;
  /** Folder of `main.ts` and, where they are there, `page.html`, `page.css` and `icon.svg`; from the root. */
  readonly from: string;
}

/** One unit of systemd. */
export interface UnitTarget {
  readonly kind: 'unit';
  readonly out: string;
  readonly config: UnitConfig;
}

/** The dashboard for Grafana. */
export interface DashboardTarget {
  readonly kind: 'dashboard';
  readonly out: string;
}

/** The manifest of a package: what is the same for all of them is written, the rest stays. */
export interface ManifestTarget {
  readonly kind: 'manifest';
  readonly out: string;
  /** The package's folder in libs/. */
  readonly folder: string;
}

/** The lock file, which repeats the manifests. */
export interface LockTarget {
  readonly kind: 'lock';
  readonly out: string;
}

export type Target =
  | TypeScriptTarget
  | DescriptorTarget
  | ProtoTarget
  | CopyTarget
  | PageTarget
  | UnitTarget
  | ManifestTarget
  | LockTarget
  | DashboardTarget;

/** Everything that is generated and committed, given the folders of libs/. */
export function targetsFor(packages: readonly string[]): readonly Target[] {
  return [
    ...TARGETS,
    ...packages.map(
      (name) => ({ kind: 'copy', out: `libs/${name}/LICENSE`, from: 'LICENSE' }) as const,
    ),
    ...packages.map(
      (folder) => ({ kind: 'manifest', out: `libs/${folder}/package.json`, folder }) as const,
    ),
    { kind: 'lock', out: 'package-lock.json' },
  ];
}

const TARGETS: readonly Target[] = [
  {
    kind: 'copy',
    out: 'libs/authz/proto/apix/authz/authz.proto',
    from: 'proto/apix/authz/authz.proto',
  },
  {
    kind: 'copy',
    out: 'libs/mcp/proto/apix/mcp/mcp.proto',
    from: 'proto/apix/mcp/mcp.proto',
  },
  { kind: 'proto', out: 'libs/proto/proto', paths: GOOGLE_API_PATHS },
  { kind: 'typescript', out: 'libs/authz/src/gen', paths: ['apix/authz'] },
  { kind: 'typescript', out: 'libs/mcp/src/gen', paths: ['apix/mcp'] },
  { kind: 'typescript', out: 'libs/gateway/src/gen', paths: ['google/api'] },
  { kind: 'typescript', out: 'libs/grpc-client/src/gen', paths: ['grpc'] },
  {
    kind: 'descriptors',
    out: 'libs/proto/testdata/kinds.binpb',
    paths: ['apix/testdata'],
  },
  { kind: 'descriptors', out: 'libs/gateway/testdata/transcoding.binpb', paths: ['transcoding'] },
  {
    kind: 'descriptors',
    out: 'libs/authz/testdata/records.binpb',
    paths: ['records/v1/records.proto'],
  },
  {
    kind: 'descriptors',
    out: 'libs/authz/testdata/lists.binpb',
    paths: ['records/v1/lists.proto'],
  },
  { kind: 'descriptors', out: 'libs/authz/testdata/fields.binpb', paths: ['fields'] },
  { kind: 'descriptors', out: 'libs/mcp/testdata/tools.binpb', paths: ['tools'] },
  { kind: 'descriptors', out: 'libs/mcp/testdata/notes.binpb', paths: ['notes'] },
  { kind: 'descriptors', out: 'conformance/mcp/gen/suite.binpb', paths: ['suite'] },
  { kind: 'descriptors', out: 'conformance/hostile/gen/strangers.binpb', paths: ['strangers'] },
  { kind: 'page', out: 'libs/host-page/src/gen/assets.ts', from: 'libs/host-page/page-client' },
  { kind: 'page', out: 'libs/swagger-ui/src/gen/assets.ts', from: 'libs/swagger-ui/page-client' },
  { kind: 'dashboard', out: 'libs/otel/dashboards/apix.json' },
  { kind: 'descriptors', out: 'apps/demo/gen/shop.binpb', paths: ['shop/v1'] },
  { kind: 'descriptors', out: 'apps/demo/gen/payments.binpb', paths: ['shop/payments'] },
  {
    kind: 'unit',
    out: 'apps/demo/deploy/shop.service',
    config: {
      description: 'The shop, the demo of apix',
      execStart: '/usr/bin/node dist/apps/demo/src/main.js',
      user: 'shop',
      workingDirectory: '/opt/shop',
      stateDirectory: 'shop',
      environment: {
        NODE_ENV: 'production',
        DATA_DIR: '/var/lib/shop',
        LOG_CONFIG: 'apps/demo/deploy/logging.yaml',
        PAYMENTS_LOG_CONFIG: 'apps/demo/deploy/payments-logging.yaml',
      },
      environmentFile: '-/etc/shop.env',
      watchdogSec: '30s',
    },
  },
  {
    kind: 'typescript',
    out: 'apps/demo/src/gen',
    paths: ['shop', 'apix/authz', 'apix/mcp', 'google/api'],
  },
];
