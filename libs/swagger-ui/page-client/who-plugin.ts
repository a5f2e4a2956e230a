import type { Plugin } from './swagger-ui.js';

/** A path of a document, a list of Immutable. */
interface Place {
  readonly size: number;
  toJS(): readonly string[];
}

/**
 * Shows next to the lock of an operation who may call it, if the document says so in `x-who-may-call`. Swagger UI has a
 * component there that its editor replaces, and that is empty otherwise.
 */
export const whoPlugin: Plugin = ({ React, specSelectors }) => {
  const h = React.createElement;
  const JumpToPath = (props: Readonly<Record<string, unknown>>) => {
    const place = props['path'] as Place | undefined;
    // Of schemas it is the place within the document too.
    if (place?.size !== 3) return null;
    const who = specSelectors.specJson().getIn([...place.toJS(), 'x-who-may-call']);
    if (typeof who !== 'string') return null;
    const label = h('span', { className: 'unseen' }, 'Who may call it: ');
    return h('span', { className: 'who-may-call' }, label, who);
  };
  return { components: { JumpToPath } };
};
