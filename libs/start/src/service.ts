import { importPath, readAppFacts } from './app/app-facts.js';
import { AppFiles } from './app/app-files.js';
import { controllerText, doubledMethods, handlerNames } from './proto/controller-text.js';
import { type ProtoService, protoServices } from './proto/proto-services.js';
import { reportLeft } from './report.js';
import type { SchematicRule } from './schematic.js';
import { withModuleEntry } from './source/module-entry.js';
import { plainSource } from './source/plain-source.js';

/** The options of `nest g -c @apix/start service <proto file>`. */
export interface ServiceOptions {
  /** The .proto file, below `proto/`. */
  readonly name: string;
  /** Default: 'src'. */
  readonly sourceRoot?: string;
}

/**
 * Creates a controller for each service of a .proto file, and adds it to ApixModule. An existing controller
 * is not changed; the last lines of the log name the methods for which it has no handler.
 *
 * @throws if the file is not below `proto/`, does not exist, or declares no service.
 */
export function service({ name: proto, sourceRoot = 'src' }: ServiceOptions): SchematicRule {
  return (tree, run) => {
    const files = new AppFiles(tree);
    const facts = readAppFacts(files, sourceRoot);
    const file = proto.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
    const services = protoServices(files.text(file) ?? '');
    if (!file.startsWith('proto/') || services.length === 0) {
      throw new Error(`start: ${file} is not a .proto file below proto/ that declares a service`);
    }
    const [folder, generated] = placesOf(file);
    for (const [index, each] of services.entries()) {
      noteDuplicate(files, file, each);
      const stem = `${folder}/${stemOf(services, index)}.controller`;
      const types = importPath(`../gen/${generated}_pb`, facts);
      if (addController(files, `${sourceRoot}/${stem}.ts`, each, types)) {
        serve(files, `${sourceRoot}/apix.module.ts`, each, importPath(`./${stem}`, facts));
      }
    }
    reportLeft(files, run);
  };
}

/** @returns whether the controller of the service now exists. */
function addController(
  files: AppFiles,
  path: string,
  service: ProtoService,
  types: string,
): boolean {
  const source = files.text(path);
  if (source === undefined) {
    files.add(path, controllerText(service, types));
    return true;
  }
  if (!source.includes(types)) {
    files.left.push(
      `${path}: it is there already and does not import '${types}'; write a controller of ${service.name} by another name`,
    );
    return false;
  }
  const plain = plainSource(source);
  const missing = handlerNames(service).filter(
    (name) => !new RegExp(`(?<![\\w$.])${name.replace('$', '\\$')}\\s*[(=<]`).test(plain),
  );
  if (missing.length > 0) {
    files.left.push(`${path}: it was left as it is, and has no handler ${missing.join(', ')}`);
  }
  return true;
}

function noteDuplicate(files: AppFiles, file: string, service: ProtoService): void {
  const doubled = doubledMethods(service);
  if (doubled.length === 0) return;
  files.left.push(
    `${file}: ${service.name} has another method of the same name as ${doubled.join(', ')} but for the case of its first letter, which TypeScript cannot have; rename one`,
  );
}

/** The name of a controller's file; services whose names differ in case alone have different ones. */
function stemOf(services: readonly ProtoService[], index: number): string {
  const stem = kebab(services[index]!.name);
  const before = services.slice(0, index).filter(({ name }) => kebab(name) === stem).length;
  return before === 0 ? stem : `${stem}-${before + 1}`;
}

/** Adds the controller to the module, unless the module already names it. */
function serve(files: AppFiles, path: string, { name }: ProtoService, from: string): void {
  const source = files.text(path);
  const controller = `${name}Controller`;
  const changed = source && withModuleEntry(source, 'controllers', controller, from);
  if (changed && (changed !== source || changed.includes(from)))
    files.replace(path, changed, controller);
  else files.left.push(`${controller} of '${from}' belongs in the controllers of a module`);
}

/** `proto/shop/v1/orders.proto`: controllers in `shop`, types in `shop/v1/orders`. */
function placesOf(file: string): [folder: string, generated: string] {
  const generated = file.slice('proto/'.length).replace(/\.proto$/, '');
  const parts = generated.split('/').filter((part) => !/^v\d+\w*$/.test(part));
  return [parts.at(-2) ?? parts[0]!, generated];
}

function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}
