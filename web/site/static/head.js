// Explained in web/site/html-document.tsx.
;(() => {
  const root = document.documentElement
  const { after, manifest, locales, follow, account } = document.currentScript.dataset
  const supported = locales.split(' ')
  const prefixOf = (locale) => (locale === supported[0] ? '' : `/${locale.toLowerCase()}`)
  const restoreTheme = () => {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    else delete root.dataset.theme
  }
  const restore = () => {
    try {
      restoreTheme()
      const code = new URLSearchParams(location.search).get('ref')
      if (/^[0-9A-HJKMNP-TV-Z]{10}$/i.test(code) && !document.prerendering)
        localStorage.setItem('referral', code)
      moveToOrOfferLanguage()
    } catch {}
  }
  const moveToOrOfferLanguage = () => {
    const { pathname, search, hash } = location
    const { lang } = root
    const base = (tag) => tag.split('-')[0].toLowerCase()
    const chosen =
      supported.find((locale) => document.cookie.split('; ').includes(`locale=${locale}`)) ??
      supported.find((locale) => locale === localStorage.getItem('locale'))
    const preferred = navigator.languages
      .map((tag) => supported.find((locale) => base(locale) === base(tag)))
      .find(Boolean)
    const previousUrl = window.navigation?.activation?.from?.url
    const previousPath = previousUrl && `${new URL(previousUrl).pathname}/`
    const cameFromSameLanguage =
      previousPath && supported.findLast((locale) => previousPath.startsWith(`${prefixOf(locale)}/`)) === lang
    const target = chosen ?? (follow === 'always' && !cameFromSameLanguage ? preferred : lang)
    if (follow && target !== lang && supported.includes(target)) {
      root.hidden = true
      location.replace(prefixOf(target) + pathname.slice(prefixOf(lang).length) + search + hash)
    }
    const offered = follow === 'always' || chosen ? undefined : preferred
    if (offered && offered !== lang && !localStorage.getItem('localeOffer')) root.dataset.offer = offered
    else delete root.dataset.offer
  }
  restore()
  document.addEventListener('prerenderingchange', restore)
  addEventListener('pageshow', ({ persisted }) => {
    try {
      if (persisted) restoreTheme()
    } catch {}
  })
  document.addEventListener('click', ({ target }) => {
    try {
      const link = target.closest('[data-locale]')
      if (!link) return
      const { locale } = link.dataset
      if (!locale) {
        delete root.dataset.offer
        return localStorage.setItem('localeOffer', 'declined')
      }
      link.href = link.pathname + location.search + location.hash
      const secure = location.protocol === 'https:' ? '; Secure' : ''
      document.cookie = `locale=${locale}; Max-Age=31536000; Path=/; SameSite=Lax${secure}`
      localStorage.setItem('locale', locale)
      const token = localStorage.getItem('token')
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      if (token)
        fetch(account, { method: 'PUT', keepalive: true, headers, body: JSON.stringify({ locale }) }).catch(
          () => {},
        )
    } catch {}
  })
  getComputedStyle(root).getPropertyValue('color-scheme')
  if (!after) return
  window.earlyClick = null
  document.addEventListener('click', ({ target }) => {
    if ('earlyClick' in window) window.earlyClick = target
  })
  const load = () => {
    const link = document.createElement('link')
    document.head.append(Object.assign(link, { rel: 'manifest', href: manifest }))
    setTimeout(() => import(after).catch(() => {}))
  }
  if (document.prerendering || !window.PerformanceObserver?.supportedEntryTypes?.includes('paint'))
    return requestAnimationFrame(() => requestAnimationFrame(load))
  new PerformanceObserver((paints, observer) => {
    if (paints.getEntriesByName('first-contentful-paint').length === 0) return
    observer.disconnect()
    load()
  }).observe({ type: 'paint', buffered: true })
})()
