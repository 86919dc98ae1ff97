;(() => {
  const root = document.documentElement
  const { after, locales, follow } = document.currentScript.dataset
  const known = locales.split(' ')
  const prefixOf = (locale) => (locale === known[0] ? '' : `/${locale.toLowerCase()}`)
  const restore = () => {
    try {
      const theme = localStorage.getItem('theme')
      if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
      else delete root.dataset.theme
      const code = new URLSearchParams(location.search).get('ref')
      if (code && !document.prerendering) localStorage.setItem('referral', code)
    } catch {}
    try {
      speak()
    } catch {}
  }
  const speak = () => {
    const chosen =
      known.find((locale) => document.cookie.split('; ').includes(`locale=${locale}`)) ??
      known.find((locale) => locale === localStorage.getItem('locale'))
    const base = (tag) => tag.split('-')[0].toLowerCase()
    const read = navigator.languages
      .map((tag) => known.find((locale) => base(locale) === base(tag)))
      .find(Boolean)
    const from = window.navigation?.activation?.from?.url
    const isFromHere =
      from &&
      known.findLast((locale) => `${new URL(from).pathname}/`.startsWith(`${prefixOf(locale)}/`)) ===
        root.lang
    const to = chosen ?? (follow === 'always' && !isFromHere ? read : undefined)
    const { pathname, search, hash } = location
    if (follow && to && to !== root.lang) {
      root.hidden = true
      location.replace(prefixOf(to) + pathname.slice(prefixOf(root.lang).length) + search + hash)
    }
    if (read && read !== root.lang && !chosen && follow !== 'always' && !localStorage.getItem('localeOffer'))
      root.dataset.offer = read
    else delete root.dataset.offer
  }
  restore()
  document.addEventListener('prerenderingchange', restore)
  getComputedStyle(root).getPropertyValue('color-scheme')
  if (!after) return
  window.earlyClick = null
  document.addEventListener('click', ({ target }) => {
    if ('earlyClick' in window) window.earlyClick = target
  })
  const load = () => setTimeout(() => import(after).catch(() => {}))
  if (document.prerendering || !window.PerformanceObserver?.supportedEntryTypes?.includes('paint'))
    return requestAnimationFrame(() => requestAnimationFrame(load))
  new PerformanceObserver((paints, observer) => {
    if (paints.getEntriesByName('first-contentful-paint').length === 0) return
    observer.disconnect()
    load()
  }).observe({ type: 'paint', buffered: true })
})()
