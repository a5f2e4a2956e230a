import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';

/** A file that does not change during the lifetime of the process. */
export interface Asset {
  readonly contentType: string;
  readonly etag: string;
  readonly bytes: Uint8Array;
  readonly gzipped: Uint8Array;
}

/** The files of swagger-ui-dist that the page uses; the others are not served. */
export const DIST_FILES: ReadonlySet<string> = new Set([
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
  'oauth2-redirect.html',
  'oauth2-redirect.js',
]);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

const loaded = new Map<string, Promise<Asset>>();

/** A file of {@link DIST_FILES}, read and compressed once. */
export function distAsset(name: string): Promise<Asset> {
  let asset = loaded.get(name);
  if (asset === undefined) {
    asset = load(name);
    loaded.set(name, asset);
    // A failure is not cached, so that the next request tries again.
    asset.catch(() => loaded.delete(name));
  }
  return asset;
}

async function load(name: string): Promise<Asset> {
  const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
  const bytes = await readFile(join(dirname(manifest), name));
  // The source maps that it names have megabytes, and only its authors need them.
  const text = name.endsWith('.css') || name.endsWith('.js') ? withoutSourceMap(bytes) : bytes;
  return assetOf(name, text);
}

/** An asset of its bytes; the type follows from the name. */
export async function assetOf(name: string, bytes: Buffer): Promise<Asset> {
  return {
    contentType: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${sha256(bytes).toString('base64url').slice(0, 16)}"`,
    bytes,
    gzipped: await promisify(process.getBuiltinModule('node:zlib').gzip)(bytes),
  };
}

function sha256(content: string | Buffer): Buffer {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest();
}

function withoutSourceMap(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf('sourceMappingURL=');
  if (at === -1) return bytes;
  const line = bytes.lastIndexOf('\n', at);
  return line === -1 ? bytes : bytes.subarray(0, line + 1);
}
