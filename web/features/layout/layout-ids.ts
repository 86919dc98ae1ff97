export const SIDE_MENU_ID = 'side-menu'
export const MAIN_ID = 'main'
