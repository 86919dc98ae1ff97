import type { CDPSession, Page } from '@playwright/test'

type AXNode = Awaited<ReturnType<typeof treeOf>>[number]

const LANDMARKS = 'banner navigation search main region form group complementary contentinfo'
const CONTROLS = 'link button textbox searchbox checkbox radio combobox dialog table'
const SPOKEN = new Set(`${LANDMARKS} ${CONTROLS} heading`.split(' '))

/**
 * Landmarks, headings and controls of the page in screen-reader order, from the browser's accessibility tree.
 * @returns lines such as `link: Buy` or `heading 1: My Profile`
 */
export async function readAloud(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const nodes = await treeOf(session)
  await session.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const read = (id: string | undefined): string[] => {
    const node = byId.get(id ?? '')
    if (!node) return []
    const line = !node.ignored && SPOKEN.has(node.role?.value as string) ? [lineFor(node)] : []
    return [...line, ...(node.childIds ?? []).flatMap(read)]
  }
  return read(nodes[0]?.nodeId) // The root.
}

const treeOf = async (session: CDPSession) => (await session.send('Accessibility.getFullAXTree')).nodes

function lineFor({ role, name, properties = [] }: AXNode): string {
  const propertyValue = (wanted: string) =>
    properties.find((property) => property.name === wanted)?.value.value as unknown
  const level = role?.value === 'heading' ? ` ${String(propertyValue('level'))}` : ''
  const words = name?.value ? `: ${String(name.value)}` : ''
  return `${String(role?.value)}${level}${words}${propertyValue('required') === true ? ', required' : ''}`
}
