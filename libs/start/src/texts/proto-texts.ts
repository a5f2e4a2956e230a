/**
 * buf.yaml: where imports come from; `@apix/proto` contains google/api.
 *
 * @param hasGoogleApi whether the app has files of google/api itself, as buf takes a path from one module only.
 */
export function bufYaml(hasGoogleApi: boolean): string {
  const modules = ['proto', 'node_modules/@apix/authz/proto'];
  if (!hasGoogleApi) modules.push('node_modules/@apix/proto/proto');
  return `version: v2\nmodules:\n${modules.map((path) => `  - path: ${path}\n`).join('')}`;
}

/** The text of buf.gen.yaml: for each app it generates types, and the services that controllers are bound to. */
export function bufGenYaml(sourceRoots: readonly string[], isEsm: boolean): string {
  const plugins = sourceRoots.map(
    (root) => `  - local: protoc-gen-es
    out: ${root}/gen
    include_imports: true
    opt:
      - target=ts
      - import_extension=${isEsm ? 'js' : 'none'}
`,
  );
  return `version: v2\nclean: false\nplugins:\n${plugins.join('')}`;
}

/** The apps for which a buf.gen.yaml generates types. */
export function sourceRootsOf(bufGen: string): string[] {
  return [...bufGen.matchAll(/^ *out: (\S+)\/gen\r?$/gm)].map(([, root]) => root!);
}

/** Generated files are not committed; their folder is. */
export const GENERATED_IGNORED = '*\n!.gitignore\n';

export const FIRST_PROTO = 'proto/hello/v1/hello.proto';

/** The first service; its policy is in its declaration. */
export const FIRST_SERVICE = `syntax = "proto3";
package hello.v1;

import "apix/authz/authz.proto";
import "google/api/annotations.proto";

// Greets people.
service Greeter {
  // Who may call its methods. A method with (apix.authz.requires) has a policy of its own instead.
  option (apix.authz.default_requires) = {roles: {any_of: ["friend"]}};

  // Greets somebody by name.
  rpc Greet(GreetRequest) returns (GreetResponse) {
    option (google.api.http) = {get: "/v1/greetings/{name}"};
  }
}

message GreetRequest {
  string name = 1;
}

message GreetResponse {
  string text = 1;
}
`;
