import { expect, it } from '@jest/globals';
import { activeTrace, offerActiveTrace } from './trace-ids.js';

const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

it('asks the latest of those that offer, until each has gone', () => {
  expect(activeTrace()).toBeUndefined();
  const first = offerActiveTrace(() => ids);
  const second = offerActiveTrace(() => undefined);
  expect(activeTrace()).toBeUndefined();
  second();
  expect(activeTrace()).toEqual(ids);
  first();
  expect(activeTrace()).toBeUndefined();
});

it('keeps a later one when an earlier one goes', () => {
  const first = offerActiveTrace(() => undefined);
  const second = offerActiveTrace(() => ids);
  first();
  expect(activeTrace()).toEqual(ids);
  second();
});
