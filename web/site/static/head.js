;(() => {
  const root = document.documentElement
  const show = () => {
    try {
      const theme = localStorage.getItem('theme')
      if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
      else delete root.dataset.theme
    } catch {}
  }
  show()
  document.addEventListener('prerenderingchange', show)
  getComputedStyle(root).getPropertyValue('color-scheme')
  const { after } = document.currentScript.dataset
  if (!after) return
  window.earlyClick = null
  document.addEventListener('click', ({ target }) => {
    if ('earlyClick' in window) window.earlyClick = target
  })
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => import(after).catch(() => {}))))
})()
