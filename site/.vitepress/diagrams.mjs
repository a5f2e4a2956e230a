import { renderMermaidSVG } from 'beautiful-mermaid';

/** Fences of Mermaid become drawings when the site is built, in the colours of the reader's theme. */
export function drawDiagrams(markdown) {
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest);
    const colours = {
      bg: 'var(--vp-c-bg)',
      fg: 'var(--vp-c-text-1)',
      muted: 'var(--vp-c-text-2)',
      transparent: true,
    };
    const drawing = renderMermaidSVG(content, colours)
      // Fonts from elsewhere: the site loads nothing that it does not bring.
      .replace(/@import url\([^)]*\);?/g, '')
      // Vue leaves style elements of templates out.
      .replace('<style>', '<component is="style">')
      .replace('</style>', '</component>')
      .replaceAll(/id="([\w-]+)"/g, `id="$1-${index}"`)
      .replaceAll(/url\(#([\w-]+)\)/g, `url(#$1-${index})`)
      .replace('<svg', '<svg role="img" aria-label="Diagram; the text around it says the same"');
    return `<div class="diagram" tabindex="0" role="group" aria-label="Diagram">${drawing}</div>`;
  };
}
