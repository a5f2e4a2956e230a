// Copies a command; without a clipboard, in a page that is not secure, the text selects itself as a whole.
const label = 'Copy';
const shownFor = 1500;

for (const button of document.querySelectorAll('.command button')) {
  if (navigator.clipboard === undefined) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = label), shownFor);
  });
}
