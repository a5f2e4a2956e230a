import { importPath, readAppFacts } from './app/app-facts.js';
import { AppFiles } from './app/app-files.js';
import { controllerText } from './proto/controller-text.js';
import { protoServices } from './proto/proto-services.js';
import type { SchematicRule } from './schematic.js';
import { withModuleEntry } from './source/module-entry.js';

/** The options of `nest g -c @apix/start service <proto file>`. */
export interface ServiceOptions {
  /** The .proto file, below `proto/`. */
  readonly name: string;
  /** Default: 'src'. */
  readonly sourceRoot?: string;
}

/**
 * Makes a controller for each service of a .proto file, and adds it to ApixModule. A controller that
 * is there is left as it is.
 *
 * @throws where there is no such file, or no service in it.
 */
export function service({ name: proto, sourceRoot = 'src' }: ServiceOptions): SchematicRule {
  return (tree, run) => {
    const files = new AppFiles(tree);
    const facts = readAppFacts(files, sourceRoot);
    const file = proto.replace(/^\.?\//, '');
    const services = protoServices(files.text(file) ?? '');
    if (!file.startsWith('proto/') || services.length === 0) {
      throw new Error(`start: ${file} is not a .proto file below proto/ that declares a service`);
    }
    const [folder, generated] = placesOf(file);
    for (const each of services) {
      const stem = `${folder}/${kebab(each.name)}.controller`;
      const path = `${sourceRoot}/${stem}.ts`;
      if (files.exists(path)) {
        files.left.push(`${path}: it is there already and was left as it is`);
      } else {
        files.add(path, controllerText(each, importPath(`../gen/${generated}_pb`, facts)));
      }
      const module = `${sourceRoot}/apix.module.ts`;
      const from = importPath(`./${stem}`, facts);
      const controller = `${each.name}Controller`;
      const source = files.text(module);
      const changed = source && withModuleEntry(source, 'controllers', controller, from);
      if (changed) files.replace(module, changed);
      else files.left.push(`${controller} of '${from}' belongs in the controllers of a module`);
    }
    files.report(run);
  };
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
