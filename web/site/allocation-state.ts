/** Shows the part of the allocation's page for a state, in place of the one that says it is loading. */
export function showState(section: HTMLElement, state: 'none' | 'unreachable' | 'frozen'): void {
  section.removeAttribute('aria-busy')
  for (const part of section.querySelectorAll<HTMLElement>('[data-state]'))
    part.hidden = part.dataset['state'] !== state
}
