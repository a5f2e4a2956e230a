import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** The field number of `(apix.authz.lists)`. */
const LISTS = 50703;

const folder = fileURLToPath(new URL('../../node_modules/.cache/apix-plain-shop', import.meta.url));

/**
 * The descriptors of the demo's shop, for apps that do not evaluate conditions: without the records that its methods
 * list. Made anew by each process.
 */
export const PLAIN_SHOP = writePlainShop();

function writePlainShop(): string {
  const shop = new URL('../../apps/demo/gen/shop.binpb', import.meta.url);
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(shop));
  for (const { options } of set.file.flatMap(({ service }) => service).flatMap((s) => s.method)) {
    const unknown = options?.$unknown;
    if (options && unknown) options.$unknown = unknown.filter(({ no }) => no !== LISTS);
  }
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/shop.binpb`;
  const draft = `${folder}/${process.pid}-${Date.now()}`;
  writeFileSync(draft, toBinary(FileDescriptorSetSchema, set));
  renameSync(draft, file);
  return file;
}
