import { expect, it } from '@jest/globals';
import * as otel from '@apix/otel';
import * as otelCore from '@apix/otel/core';
import * as formerCore from './core/index.js';
import * as former from './index.js';

it('exports the very things that @apix/otel does', () => {
  expect({ ...former }).toEqual({ ...otel });
  expect({ ...formerCore }).toEqual({ ...otelCore });
});
