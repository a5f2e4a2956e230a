import type { FieldValue } from '../value/field-value.js';
import { fieldValue } from '../value/taken-value.js';
import { Event } from './event.js';
import type { LogEvent } from './log-event.js';

/** Receives the fields of an event one by one. */
export interface FieldVisitor {
  /**
   * Called first, at most once, with fields that come from the logger: in the same map for every event that
   * has them, so that data derived from it can be kept.
   */
  loggerFields(fields: ReadonlyMap<string, FieldValue>): void;
  /** Called for each of the other fields. */
  field(name: string, value: FieldValue): void;
}

/** Visits every field of an event once, without creating the map `event.fields`. */
export function visitFields(event: LogEvent, visitor: FieldVisitor): void {
  if (!(event instanceof Event) || event.hidesScope) {
    for (const [name, value] of event.fields) visitor.field(name, value);
    return;
  }
  const { values, extras, scope, holes } = event;
  visitor.loggerFields(scope.all);
  for (let i = 0; i < extras.names.length; i++) {
    visitor.field(extras.names[i]!, fieldValue(extras.values[i]!));
  }
  for (let i = 0; i < holes.length; i++) {
    const { field, writesField } = holes[i]!;
    const value = values[i];
    if (writesField && value !== undefined) visitor.field(field, fieldValue(value));
  }
}
