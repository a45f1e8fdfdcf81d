class demo($size = 3, $list = ['a']) { notify { 'of demo': message => 'm' } }
