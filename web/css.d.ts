// web/css.d.ts — style sheets are bundled beside the script that names them.
declare module '*.css'
