import { type Option, option } from '@apix/contracts/options';
import type { SubjectFunc } from './subject.js';

/** An option that is a `SubjectFunc`. */
export const SUBJECT_FUNC: Option<SubjectFunc> = option(
  "a function that returns the caller's subject",
  (value) => typeof value === 'function',
);
