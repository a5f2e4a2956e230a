import type { Component, System } from './swagger-ui.js';

/** A text, its property `source`, with a button that copies it. */
export function copyable({ React }: System): Component {
  const h = React.createElement;
  return (props) => {
    const source = String(props['source']);
    const [done, setDone] = React.useState({ source: '', word: '' });
    const onClick = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
      const text = currentTarget.parentElement!.querySelector('pre')!;
      void copied(text).then((word) => setDone({ source, word }));
    };
    return h(
      'div',
      { className: 'copyable' },
      h('pre', { className: 'microlight' }, source),
      h(
        'button',
        { className: 'btn', type: 'button', onClick, 'aria-live': 'polite' },
        done.source === source ? done.word : 'Copy',
      ),
    );
  };
}

/** Copies a text, or selects it where a page may not write to the clipboard, as without TLS. */
async function copied(text: HTMLElement): Promise<string> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(text);
    return 'Selected';
  }
}
