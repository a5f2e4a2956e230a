import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const FILES = {
  'privacy.proto': `
    syntax = "proto3";
    package test;
    import "google/protobuf/descriptor.proto";
    enum Privacy {
      PUBLIC = 0;
      PERSONAL = 1 [debug_redact = true];
    }
    message Handling {
      repeated Privacy kinds = 1;
    }
    extend google.protobuf.FieldOptions {
      Privacy privacy = 50001;
      Handling handling = 50002;
    }`,
  'logins.proto': `
    syntax = "proto3";
    package test;
    import "google/protobuf/any.proto";
    import "google/protobuf/struct.proto";
    import "privacy.proto";
    service Logins {
      rpc Enter(Login) returns (Login);
    }
    message Login {
      string user = 1;
      string password = 2 [debug_redact = true];
      repeated string codes = 3 [debug_redact = true];
      map<string, string> notes = 4 [debug_redact = true];
      Card card = 5;
      oneof proof {
        string pin = 6 [debug_redact = true];
        string hint = 7;
      }
      int32 attempts = 8 [debug_redact = true];
      google.protobuf.Any extra = 9;
      optional string personal = 10 [(privacy) = PERSONAL];
      optional string handled = 11 [(handling) = { kinds: [PUBLIC, PERSONAL] }];
      string open = 12 [(privacy) = PUBLIC, (handling) = { kinds: [PUBLIC] }];
      Plain vault = 13 [debug_redact = true];
      repeated Card cards = 14;
      map<string, Card> wallet = 15;
      int64 big = 16 [debug_redact = true];
      google.protobuf.Struct struct = 17 [debug_redact = true];
      Privacy kind = 18 [debug_redact = true];
    }
    message Card {
      string number = 1 [debug_redact = true];
      string holder = 2;
    }
    message Plain {
      string text = 1;
    }`,
  'open.proto': `
    syntax = "proto2";
    package test;
    message Open {
      extensions 100 to 200;
    }
    extend Open {
      optional string token = 100 [debug_redact = true];
      optional string label = 101;
    }`,
};

/** Compiles descriptors whose fields have `debug_redact` in every way there is. */
export function secretProtos(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'apix-secrets-'));
  try {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    const buf = resolve(import.meta.dirname, '../../node_modules/.bin/buf');
    return execFileSync(buf, ['build', folder, '--as-file-descriptor-set', '-o', '-']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
