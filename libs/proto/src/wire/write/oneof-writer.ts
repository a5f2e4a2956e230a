import type { DescField, DescOneof } from '@bufbuild/protobuf';
import { oneofValue, refuseCase } from '../../values/holder-value.js';
import { HIDDEN_PROBLEM } from '../../redact/guarded.js';
import { isRedacted } from '../../redact/redacted-field.js';
import { ValueError, within } from '../../values/value-error.js';
import { selectedWriter } from './field-writer.js';
import type { BodyWriter, FieldWriter, WriterOf } from './writer.js';

/**
 * Writes some fields of a oneof, if one of them is selected: those that have no field of another member
 * between their numbers, because fields are written by number. The path of its errors has the selected
 * field, or the oneof.
 */
export function oneofWriter(
  oneof: DescOneof,
  fields: readonly DescField[],
  writerOf: WriterOf,
): FieldWriter {
  const { localName } = oneof;
  const cases = oneof.fields.map((field) => field.localName);
  const writers = new Map<unknown, BodyWriter>();
  for (const field of fields) {
    writers.set(
      field.localName,
      selectedWriter(field as Parameters<typeof selectedWriter>[0], writerOf),
    );
  }
  const oneofStep = `.${localName}`;
  const hides = oneof.fields.some(isRedacted);
  return (sink, message, depth) => {
    const member = message[localName];
    let step = oneofStep;
    try {
      const selected = oneofValue(member);
      const name = selected.case;
      if (name === undefined) return;
      const write = writers.get(name);
      if (write !== undefined) {
        step = `.${name as string}`;
        write(sink, selected.value, depth);
      } else if (!cases.includes(name as string)) refuseCase(name, cases);
    } catch (error) {
      // What is there instead of a case may be the value itself.
      const hidden = hides && step === oneofStep;
      throw within(step, hidden ? new ValueError(HIDDEN_PROBLEM) : error);
    }
  };
}
