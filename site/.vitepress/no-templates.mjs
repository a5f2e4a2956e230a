/** Pages are Markdown, not templates: braces in them are text. */
export function braceTexts(markdown) {
  const { text } = markdown.renderer.rules;
  markdown.renderer.rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;');
  const code = markdown.renderer.rules.code_inline;
  markdown.renderer.rules.code_inline = (tokens, index, ...rest) => {
    tokens[index].attrSet('v-pre', '');
    return code(tokens, index, ...rest);
  };
}
