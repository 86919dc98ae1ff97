;(() => {
  const root = document.documentElement
  const restore = () => {
    try {
      const theme = localStorage.getItem('theme')
      if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
      else delete root.dataset.theme
      const code = new URLSearchParams(location.search).get('ref')
      if (code && !document.prerendering) localStorage.setItem('referral', code)
    } catch {}
  }
  restore()
  document.addEventListener('prerenderingchange', restore)
  getComputedStyle(root).getPropertyValue('color-scheme')
  const { after } = document.currentScript.dataset
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
